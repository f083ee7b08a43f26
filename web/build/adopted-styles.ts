import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Where `jsx("style", …)` or `jsxs("style", …)` is called in a compiled package. */
export const STYLE_ELEMENT = /\bjsx(s?)\("style",/g

/**
 * Mantine writes `<style>` elements, which `require-trusted-types-for 'script'` and `style-src 'self'` refuse: the page
 * would stay white. This plugin sends that CSS to `document.adoptedStyleSheets`, for which no directive exists.
 * A test of the build proves that the pattern still matches the installed version.
 */
export function adoptedStyles(): Plugin {
  const runtime = JSON.stringify(fileURLToPath(new URL('../ui/adopted-style.ts', import.meta.url)))
  return {
    name: 'adopted-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /@mantine\/.*\.mjs$|react-style-singleton\/.*singleton\.js$/ },
      handler(code, id) {
        if (id.includes('react-style-singleton')) return `export { stylesheetSingleton } from ${runtime};`
        if (!code.match(STYLE_ELEMENT)) return
        return `import { AdoptedStyle as $A } from ${runtime};${code.replace(STYLE_ELEMENT, 'jsx$1($A,')}`
      },
    },
  }
}
