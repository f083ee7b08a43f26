import { build } from 'vite'

/** Bundles the code of a page with the packages that it imports, into one script. */
export async function bundlePage(code: string): Promise<string> {
  const page = {
    name: 'page',
    enforce: 'pre' as const,
    // as if the file were in this folder, from which react is found
    resolveId: (id: string) => (id.endsWith('page') ? `${import.meta.dirname}/page.js` : null),
    load: (id: string) => (id.endsWith('/page.js') ? code : null),
  }
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [page],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: 'page', formats: ['iife'], name: 'page' } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  return output && 'output' in output ? output.output[0].code : ''
}
