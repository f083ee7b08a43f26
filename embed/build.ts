import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('.', import.meta.url))
const built = (name: EmbedFile) => join(sources, '..', 'dist', 'embed', `${name}.js`)

/** The script on the customers' pages, what it loads during an owner's check, and what a page with an offer adds. */
export type EmbedFile = 'script' | 'picker' | 'offer'

/**
 * Compiles a file for customers' pages into one function call without imports. The syntax is ES2015: older browsers don't run
 * it, but don't fail because of it either.
 */
export async function buildEmbedScript(name: EmbedFile = 'script'): Promise<string> {
  const { build } = await import('vite')
  const { shortenScript } = await import('./shorten.ts')
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root: sources,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      { name: 'alike-declarations', renderChunk: declareAlike },
      ...(name === 'script' ? [{ name: 'shorter-script', renderChunk: shortenScript }] : []),
    ],
    build: {
      write: false,
      target: 'es2015',
      modulePreload: false,
      minify: 'terser',
      terserOptions: {
        ecma: 2015,
        safari10: false,
        // no function of ours is called by `new`, and no property of ours is read for what else that does
        compress: {
          toplevel: true,
          passes: 3,
          unsafe: true,
          unsafe_arrows: true,
          pure_getters: true,
          booleans_as_integers: true,
        },
        mangle: { toplevel: true },
        // a function has Vite minify in this thread: its workers don't start under every option of Node
        format: { comments: () => false, quote_style: 2 },
      },
      rolldownOptions: {
        input: join(sources, `${name}.ts`),
        optimization: { inlineConst: true },
        treeshake: { manualPureFunctions: ['RegExp'] },
      },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  for (const output of outputs)
    if ('output' in output) for (const chunk of output.output) if (chunk.type === 'chunk') return chunk.code
  throw new Error('The embed script was compiled to nothing.')
}

/**
 * Returns code with all its variables and functions declared by `let`: what looks alike is packed into fewer bytes. No
 * function of ours needs `this`, and none is read before its place in the code: the script wouldn't run at all.
 */
const declareAlike = (code: string) =>
  code
    .replace(/^function ([\w$]+)\((.*)\) \{([\s\S]*?)^\}/gm, 'let $1 = ($2) => {$3};')
    .replace(/\b(const|var) (?=[\w$[{])/g, 'let ')

/** Returns a compiled file from `dist/embed`; compiles it first if that is missing or older than its sources. */
export async function readEmbedScript(name: EmbedFile): Promise<string> {
  if ((await changedAt(built(name))) >= (await newestSource())) return readFile(built(name), 'utf8')
  const script = await buildEmbedScript(name)
  // without write access it is compiled at every start
  await writeEmbedScript(name, script).catch(() => {})
  return script
}

/** Writes atomically: a server must never read half a file. */
async function writeEmbedScript(name: EmbedFile, script: string): Promise<void> {
  const file = built(name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.${process.pid}`, script)
  await rename(`${file}.${process.pid}`, file)
}

const changedAt = (file: string) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => -1,
  )

async function newestSource(): Promise<number> {
  const files = (await readdir(sources)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return Math.max(...(await Promise.all(files.map((file) => changedAt(join(sources, file))))))
}

if (import.meta.main)
  for (const name of ['script', 'picker', 'offer'] as const) await writeEmbedScript(name, await buildEmbedScript(name))
