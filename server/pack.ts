import { hash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { CONTENTS, type Contents, digestOfHashes, findPacked, folderOf, look, writeContents } from './packed.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = folderOf()

/**
 * Modules that stay in node_modules: native ones, those that read files next to themselves, and those only loaded on
 * first use.
 */
const OUTSIDE = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@modelcontextprotocol/server',
  '@node-rs/argon2',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@scalar/fastify-api-reference',
  'dejavu-fonts-ttf',
  'fontkit',
  'html-to-text',
  'libphonenumber-js',
  'nodemailer',
  'pdfkit',
  'prom-client',
  'react',
  'react-dom',
  'undici',
  'vite',
]

/** Further inputs: the packer itself, and npm's record of the install. */
const BESIDES = [
  'server/pack.ts',
  'server/packed.js',
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
]

/** Milliseconds before an unused pack is deleted: another process may just be writing it. */
const LEFT_ALONE_MS = 600_000

/**
 * Packs the server, unless the pack is current. Each pack has its own folder and the previous one stays: a process
 * running from it may still load a file.
 */
export async function packServer(): Promise<void> {
  if (findPacked()) return
  const name = randomBytes(6).toString('hex')
  const former = await readFile(join(folder, CONTENTS), 'utf8').then(
    (text) => (JSON.parse(text) as Contents).name,
    () => null,
  )
  await tidy(former)
  const { read, noted } = notes()
  try {
    for (const path of BESIDES) await read(join(root, path))
    for (const piece of await bundle(join(folder, name), read)) {
      await sync(join(folder, name, piece))
      await read(join(folder, name, piece))
    }
    writeContents(root, { name, ...noted() })
  } catch (error) {
    await rm(join(folder, name), { recursive: true, force: true })
    throw error
  }
}

/** Deletes packs that are neither current nor previous: former versions, and incomplete ones. */
async function tidy(former: string | null) {
  await mkdir(folder, { recursive: true })
  for (const other of await readdir(folder)) {
    if (other === CONTENTS || other === former) continue
    const { mtimeMs } = await stat(join(folder, other))
    if (mtimeMs < Date.now() - LEFT_ALONE_MS) await rm(join(folder, other), { recursive: true, force: true })
  }
}

/** Flushes a file: one left empty by a crash of the machine would block the start. */
async function sync(path: string) {
  const file = await open(path, 'r+')
  await file.sync().finally(() => file.close())
}

/** Reads files and records their state when read: later changes are not packed, and detected. */
function notes() {
  const files = new Map<string, { seen: Contents['files'][number]; hash: string }>()
  return {
    async read(file: string) {
      const path = pathOf(file)
      const seen = look(root, path)
      const bytes = await readFile(file)
      files.set(path, { seen, hash: hash('sha256', bytes) })
      return bytes.toString()
    },
    noted: () => ({
      digest: digestOfHashes([...files].map(([path, { hash }]) => [path, hash])),
      files: [...files.values()].map(({ seen }) => seen),
    }),
  }
}

/** Builds the pack; returns the names of the files written. */
async function bundle(outDir: string, read: (file: string) => Promise<string>) {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [noting(read), atHome, builtinsAsTheyAre, inAscii],
    ssr: { noExternal: true, external: OUTSIDE },
    build: {
      ssr: 'server/main.ts',
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          comments: false,
        },
      },
    },
  })) as Rolldown.RolldownOutput
  return output.map(({ fileName }) => fileName)
}

const noting = (read: (file: string) => Promise<string>): Plugin => ({
  name: 'noting',
  enforce: 'pre',
  load: (id) => (isAbsolute(id) ? read(id) : null),
})

/** Keeps each file's own location, so that it finds its neighbours, and marks none as the main module. */
const atHome: Plugin = {
  name: 'at-home',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null
    if (/import\.meta\.(?!url|main|resolve)/.test(code)) throw new Error(`${id} asks for what only its source knows`)
    const here = `new URL(${JSON.stringify(`../../../${pathOf(id)}`)}, import.meta.url).href`
    return code.replaceAll('import.meta.main', 'false').replaceAll('import.meta.url', here)
  },
}

/**
 * Imports Node's own modules without ES module views: for such a view Node reads all exports, and so loads what each
 * module would only load on first use, such as an HTTP client beside its server.
 */
const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  generateBundle(_, bundle) {
    for (const piece of Object.values(bundle))
      if (piece.type === 'chunk')
        piece.code = piece.code.replace(/^import ([^"]+) from "([^"]+)";$/gm, (line, names: string, from: string) =>
          isBuiltin(from) ? taken(names, `globalThis.process.getBuiltinModule("${from}")`) : line,
        )
  },
}

/** Converts an import's `a, { b as c }` to a declaration from a value. */
function taken(names: string, value: string) {
  const [, whole, some] = /^(?:(?:\* as )?([\w$]+))?(?:, )?(?:\{ (.+) \})?$/.exec(names) ?? []
  if (!whole && !some) throw new Error(`an import of ${names} is not understood`)
  const parts = some && `{ ${some.replaceAll(' as ', ': ')} } = ${whole ?? value}`
  return `const ${[whole && `${whole} = ${value}`, parts].filter(Boolean).join(', ')};`
}

/** Escapes non-ASCII characters: V8 stores a source with two bytes per character if any character needs them. */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_, bundle) {
    for (const piece of Object.values(bundle)) {
      if (piece.type !== 'chunk') continue
      if (/\braw`[^`]*[\u0080-\uffff]/.test(piece.code))
        throw new Error(`${piece.fileName} takes letters as they are written`)
      piece.code = piece.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

const pathOf = (file: string) => relative(root, file).split(sep).join('/')

if (import.meta.main) await packServer()
