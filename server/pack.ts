import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { CONTENTS, type Contents, findPacked, packedFolder as folder } from './packed.js'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Stays where npm put it: what is native or finds its files beside itself, and what is only loaded on first use. */
const OUTSIDE = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@modelcontextprotocol/server',
  '@node-rs/argon2',
  '@scalar/fastify-api-reference',
  'dejavu-fonts-ttf',
  'fast-xml-parser',
  'fontkit',
  'html-to-text',
  'libphonenumber-js',
  'nodemailer',
  'pdfkit',
  'react',
  'react-dom',
  'undici',
  'vite',
]

/** How long a pack that nobody starts from any more is left alone: another process may be writing it just now. */
const LEFT_ALONE_MS = 600_000

/**
 * Packs the server, unless it is packed as it is now. Each pack has a folder of its own and the one before it stays: a
 * process that runs from it may still load a piece.
 */
export async function packServer(): Promise<void> {
  if (findPacked()) return
  const startedAt = Date.now()
  const name = randomBytes(6).toString('hex')
  const sources = await stateOf(await bundle(join(folder, name)))
  // What changed meanwhile was perhaps packed as it was before; the next start packs anew.
  if (sources.some(([, mtimeMs]) => mtimeMs >= startedAt)) return
  const contents: Contents = { entry: `${name}/main.js`, sources }
  const former = await readFile(join(folder, CONTENTS), 'utf8').catch(() => '')
  await writeFile(join(folder, name, CONTENTS), JSON.stringify(contents))
  await rename(join(folder, name, CONTENTS), join(folder, CONTENTS))
  for (const other of await readdir(folder)) {
    if (other === CONTENTS || other === name || former.includes(other)) continue
    const { mtimeMs } = await stat(join(folder, other))
    if (mtimeMs < startedAt - LEFT_ALONE_MS) await rm(join(folder, other), { recursive: true, force: true })
  }
}

/** How it is packed, and of the packages in it what npm wrote about all it installed. */
const BESIDES = ['server/pack.ts', 'server/packed.js', 'package.json', 'node_modules/.package-lock.json']

/** The files a pack was made of, as they are now. */
async function stateOf(modules: string[]): Promise<Contents['sources']> {
  const own = modules.filter((id) => id.startsWith(root) && !id.includes('/node_modules/')).map(pathOf)
  const paths = new Set([...own, ...BESIDES])
  return Promise.all(
    [...paths].map(async (path) => {
      const { mtimeMs, size } = await stat(join(root, path))
      return [path, mtimeMs, size] as const satisfies Contents['sources'][number]
    }),
  )
}

async function bundle(outDir: string) {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [atHome],
    ssr: { noExternal: true, external: OUTSIDE },
    build: {
      ssr: 'server/main.ts',
      outDir,
      target: 'node24',
      minify: false,
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
    },
  })) as Rolldown.RolldownOutput
  return output.flatMap((piece) => (piece.type === 'chunk' ? piece.moduleIds : []))
}

/** Files still find what lies beside their sources, and none is what Node was told to run. */
const atHome: Plugin = {
  name: 'at-home',
  enforce: 'pre',
  transform(code, id) {
    if (id.includes('/node_modules/') || !code.includes('import.meta.')) return null
    const here = `new URL(${JSON.stringify(`../../../${pathOf(id)}`)}, import.meta.url).href`
    return code.replaceAll('import.meta.main', 'false').replaceAll('import.meta.url', here)
  },
}

const pathOf = (id: string) => relative(root, id).split(sep).join('/')

if (import.meta.main) await packServer()
