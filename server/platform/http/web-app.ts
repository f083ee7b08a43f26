import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, OF_HOST } from '#contract/language.ts'
import { lazyValue } from '../lazy-value.ts'
import { acceptedEncodings } from './encodings.ts'
import type { NamedLimit } from './limits.ts'
import { contentSecurityPolicy } from './security-headers.ts'
import type { Shell } from './shell.ts'
import { webFolder } from './web-build.ts'
import { createWordsFiles } from './words-files.ts'

/** Addresses that belong to the server: an unknown one below them is an error, not a screen. */
const SERVER_PATH = /^\/(api|r|s|embed|files|hooks|health|metrics|join(?!\/confirm$))(\/|$)/
/** Folder of files whose names change with their content. */
const HASHED = /^\/assets\//
/** Folders of files alone: no screen replaces a missing one. */
const FILES = /^\/(assets|words)\//
/** The words of the screens before signing in. */
const wordsPath = (language: Language) => `/words/before/${language}.json`
const WORDS_OF_HOST = wordsPath(OF_HOST)
const PAGE = '/index.html'
const DOCUMENT = /\.html$/
/** The docs are documents of their own: no screen of the application replaces a missing one. */
const DOCS = /^\/docs(\/|$)/
const NO_SUCH_DOCS = '/docs/404.html'
/** Limit per network, which may be an office: a page loads a dozen files once. */
const LIMIT: NamedLimit = { name: 'web-app', perMinute: 3000, by: 'network' }
const ENCODINGS = { br: '.br', gzip: '.gz' } as const

/** Returns the `frame-ancestors` of an address whose document may be framed; undefined for any other. */
type FramedBy = (path: string) => Promise<string | undefined>

/** Shows the page at the root of an account's own host; undefined elsewhere. */
type ShowAtRoot = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

type Places = {
  root?: string
  framedBy?: FramedBy
  showAtRoot?: ShowAtRoot | undefined
  /** Returns the language of an account, for the screens at its own host. */
  findLanguageOf?: (accountId: string) => Promise<Language>
}

/**
 * Serves the built web application: its files, and a page of it for every other address that is not the server's. A
 * replaced build is noticed at the next request for the page.
 */
export function webRoutes(
  { fastify }: Shell,
  { root = webFolder, framedBy = async () => undefined, showAtRoot, findLanguageOf = async () => 'en' }: Places = {},
) {
  let files = new Map<string, WebFile>()
  let builtAt = 0
  const look = () => {
    const page = statSync(join(root, PAGE), { throwIfNoEntry: false })
    if (page?.mtimeMs === builtAt) return
    builtAt = page?.mtimeMs ?? 0
    files = page ? listFiles(root) : new Map()
  }

  const findWords = createWordsFiles()

  // a screen of the application among the server's own addresses
  for (const url of ['/*', '/join/confirm'])
    fastify.route({
      method: ['GET', 'HEAD'],
      url,
      config: { policy: 'public', limit: LIMIT },
      async handler(request, reply) {
        const path = pathOf(request)
        if (SERVER_PATH.test(path)) return reply.callNotFound()
        const shown = path === '/' && request.ownHost ? await showAtRoot?.(request, reply) : undefined
        if (shown) return shown
        if (DOCS.test(path)) return sendDocs(request, reply, path)
        const words = await findWords(
          path === WORDS_OF_HOST && request.ownHost ? wordsPath(await findLanguageOf(request.ownHost.accountId)) : path,
        )
        if (words) {
          reply.header('content-language', words.language)
          const body = { identity: () => words.text, br: () => words.brotli, gzip: () => null }
          return send(request, reply, { type: TYPES.json!, caching: 'no-cache', etag: words.etag, body })
        }
        const ancestors = await framedBy(path)
        if (ancestors) reply.header('content-security-policy', contentSecurityPolicy({ 'frame-ancestors': ancestors }))
        let file = DOCUMENT.test(path) ? undefined : files.get(path)
        if (!file) {
          look()
          file = files.get(path) ?? (FILES.test(path) ? undefined : documentOf(path, files))
        }
        if (file) return ancestors ? sendAnew(request, reply, file) : send(request, reply, file)
        return builtAt ? reply.callNotFound() : notBuilt(reply)
      },
    })

  function sendDocs(request: FastifyRequest, reply: FastifyReply, path: string) {
    look()
    const named = `${path.replace(/\/$|\.html$/, '')}.html`
    const page = named === NO_SUCH_DOCS ? undefined : files.get(named)
    const shown = page ?? files.get(NO_SUCH_DOCS)
    if (shown) return send(request, page ? reply : reply.code(404), shown)
    return builtAt ? reply.callNotFound() : notBuilt(reply)
  }
}

/** Returns a screen's own document, which may serve all addresses below it; else the shared one. */
const documentOf = (path: string, files: Map<string, WebFile>) =>
  files.get(`${path}.html`) ?? files.get(`${path.slice(0, path.lastIndexOf('/'))}.html`) ?? files.get(PAGE)

const pathOf = ({ url }: FastifyRequest) => url.split('?', 1)[0] ?? '/'

type WebFile = {
  type: string
  caching: string
  etag: string
  body: Record<'identity' | 'br' | 'gzip', () => Buffer | null>
}

/** Lists the folder's files. Only these can be requested, so that no path leads outside; read on first request. */
function listFiles(root: string): Map<string, WebFile> {
  const names = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const present = new Set(names)
  return new Map(
    names
      .filter((name) => !/\.(br|gz|map)$/.test(name))
      .map((name) => {
        const path = name.slice(root.length).split(sep).join('/')
        const { size, mtimeMs } = statSync(name)
        const read = (file: string) => lazyValue(() => (present.has(file) ? readFileSync(file) : null))
        const caching = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
        const version = createHash('sha1').update(`${path} ${size} ${mtimeMs}`).digest('base64url')
        const body = { identity: read(name), br: read(name + ENCODINGS.br), gzip: read(name + ENCODINGS.gzip) }
        return [path, { type: typeOf(path), caching, etag: `W/"${version}"`, body }]
      }),
  )
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
}
const typeOf = (path: string) => TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'

function send(request: FastifyRequest, reply: FastifyReply, { type, caching, etag, body }: WebFile) {
  reply.headers({ 'cache-control': caching, vary: 'accept-encoding', etag })
  if (reply.statusCode === 200 && request.headers['if-none-match']?.split(/,\s*/).includes(etag))
    return reply.code(304).send()
  const encoding = acceptedEncodings(request.headers['accept-encoding']).find((name) => body[name]())
  if (encoding) reply.header('content-encoding', encoding)
  const bytes = body[encoding ?? 'identity']() ?? Buffer.alloc(0)
  reply.type(type).header('content-length', bytes.length)
  return reply.send(request.method === 'HEAD' ? null : bytes)
}

/** Never stored, never 304: a stored answer would have an earlier policy. */
function sendAnew(request: FastifyRequest, reply: FastifyReply, file: WebFile) {
  delete request.headers['if-none-match']
  return send(request, reply, { ...file, caching: 'no-store' })
}

const notBuilt = (reply: FastifyReply) =>
  reply
    .code(503)
    .header('retry-after', '5')
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built yet</title>' +
        '<h1>The web application is not built yet</h1>' +
        '<p>It is built when the server starts, or by <code>npm run build</code>. Then reload this page.</p></html>',
    )
