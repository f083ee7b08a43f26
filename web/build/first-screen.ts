import assert from 'node:assert/strict'
import { brotliCompressSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

// Measures what a browser with an empty cache loads before a screen appears, from the build.

const KB = 1024

/** Compressed bytes, and requests. */
export const limits = {
  script: 190 * KB,
  scriptBeforeSignIn: 95 * KB,
  scriptOfList: 230 * KB,
  scriptOfForm: 260 * KB,
  css: 9 * KB,
  requests: 8,
}

/** The files of the first screens, each imported by the document's own script. */
export const firstScreens = {
  dashboard: ['web/app.tsx', 'web/features/dashboard/Dashboard.tsx'],
  accounts: ['web/app.tsx', 'web/features/admin/AccountList.tsx'],
  beforeSignIn: ['web/before-sign-in.tsx'],
}

type Built = { chunks: Rolldown.OutputChunk[]; assets: Rolldown.OutputAsset[] }

export async function buildWeb(root: string): Promise<Built> {
  const built = (await build({ root, logLevel: 'error', build: { write: false } })) as Rolldown.RolldownOutput
  return {
    chunks: built.output.filter((part) => part.type === 'chunk'),
    assets: built.output.filter((part) => part.type === 'asset'),
  }
}

export const compressedSize = (text: string | Uint8Array) => brotliCompressSync(text).length

export function measureFirstScreen({ chunks: output, assets }: Built) {
  // Many screens load the same files.
  const sizes = new Map<string | Uint8Array, number>()
  const sizeOf = (content: string | Uint8Array) => {
    const size = sizes.get(content) ?? compressedSize(content)
    sizes.set(content, size)
    return size
  }

  /** Returns the chunk made from `file`, with everything it imports before it runs. */
  function loadedBy(file: string) {
    const first = output.find((chunk) => chunk.moduleIds.some((id) => id.endsWith(`/${file}`)))
    assert.ok(first, `no chunk is made from ${file}`)
    const chunks = new Set<Rolldown.OutputChunk>()
    const add = (chunk: Rolldown.OutputChunk) => {
      if (chunks.has(chunk)) return
      chunks.add(chunk)
      for (const name of chunk.imports) add(output.find(({ fileName }) => fileName === name)!)
    }
    add(first)
    return chunks
  }

  /**
   * Returns what is loaded before the screens made from these files appear, each imported by the document's own script.
   */
  function firstScreen(...files: string[]) {
    const chunks = new Set(['web/main.ts', ...files].flatMap((file) => [...loadedBy(file)]))
    const script = [...chunks].reduce((sum, { code }) => sum + sizeOf(code), 0)
    const sheets = new Set([...chunks].flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
    const css = [...sheets].reduce(
      (sum, name) => sum + sizeOf(assets.find(({ fileName }) => fileName === name)!.source),
      0,
    )
    // Plus the document, the script that sets the theme, and the font.
    return { chunks, script, css, requests: chunks.size + sheets.size + 3 }
  }

  /** Returns the files of the screens that the application loads on demand. */
  function laterScreens() {
    const app = [...loadedBy('web/app.tsx')][0]
    const parts = output.filter(({ fileName }) => app?.dynamicImports.includes(fileName))
    return parts.flatMap(({ facadeModuleId }) => facadeModuleId?.match(/web\/(features|routes)\/.+\.tsx$/)?.[0] ?? [])
  }

  return { loadedBy, firstScreen, laterScreens }
}
