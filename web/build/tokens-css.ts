import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { tokens } from '../ui/tokens.ts'

const NAME = 'virtual:tokens.css'
const resolved = `\0${NAME}`

/** Gives `import 'virtual:tokens.css'`: every design token as a CSS variable, light by default, dark by the root attribute. */
export function tokensCss(): Plugin {
  return {
    name: 'tokens-css',
    resolveId: (source) => (source === NAME ? resolved : undefined),
    load(id) {
      if (id !== resolved) return
      this.addWatchFile(fileURLToPath(new URL('../ui/tokens.ts', import.meta.url)))
      return { code: cssOfTokens(), moduleType: 'css' }
    },
  }
}

export function cssOfTokens() {
  const lines = (theme: Record<string, string>) =>
    Object.entries(theme)
      .map(([name, value]) => `  --${name}: ${value};`)
      .join('\n')
  return [
    `:root {\n  color-scheme: light;\n${lines(tokens.light)}\n}`,
    `:root[data-mantine-color-scheme='dark'] {\n  color-scheme: dark;\n${lines(tokens.dark)}\n}`,
  ].join('\n')
}
