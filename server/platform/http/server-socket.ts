import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { StartRefusal } from '../config/start-refusal.ts'
import { type Refusal, refusal, refusalBody } from '../refusal.ts'
import { securityHeaders } from './security-headers.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Socket = IncomingMessage['socket']
type Place = Pick<Config, 'host' | 'port' | 'appUrl' | 'trustProxy'>

/**
 * The listening socket, from the first moment of the process to the last: before the application exists, and while it
 * is closed, `/health/live` returns 200 and everything else 503.
 */
export type ServerSocket = {
  /** The actual port, also if 0 was requested. */
  port: number
  /** Passes requests to the application. */
  open(application: Handler): void
  /**
   * Notifies open connections, waits behind a proxy until it has had time to notice, and stops accepting connections;
   * running requests may finish.
   */
  close(): Promise<void>
}

/** Milliseconds for a load balancer to notice that we are no longer ready, while requests may still come. */
const DRAIN_MS = 5000
/** Milliseconds that idle connections stay open after that, so that none is cut while sending. */
const COURTESY_MS = 250
/** Milliseconds for requests still running at the end of the drain. */
const FINISH_MS = 10_000

/** Listens. Refuses in one line if the address is used or not ours. */
export async function openServerSocket({ host, port, appUrl, trustProxy }: Place): Promise<ServerSocket> {
  let state: 'starting' | 'open' | 'closing' = 'starting'
  const headers = {
    ...securityHeaders({ appUrl }),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }
  const unavailable = (response: ServerResponse, refused: Refusal) => {
    const { id, body } = answerOf(refused)
    response.writeHead(503, { ...headers, 'x-request-id': id, 'retry-after': '1' }).end(body)
  }
  let application: Handler = (_request, response) => unavailable(response, refusal('service_starting'))
  /** Open connections, each with its latest answer. */
  const answers = new Map<Socket, ServerResponse | null>()
  const server = createServer({ connectionsCheckingInterval: 500 }, (request, response) => {
    answers.set(request.socket, response)
    if (state === 'open') return application(request, response)
    if (request.url === '/health/live') return void response.writeHead(200, headers).end('{"status":"live"}')
    if (state === 'starting') return unavailable(response, refusal('service_starting'))
    response.setHeader('connection', 'close')
    if (request.url?.startsWith('/health/ready')) return unavailable(response, refusal('service_stopping'))
    application(request, response)
  })
  server.on('connection', (socket) => {
    answers.set(socket, null)
    socket.once('close', () => answers.delete(socket))
  })
  server.on('clientError', (error, socket: Socket) => {
    const answer = answers.get(socket)
    const isMidAnswer = answer?.headersSent && !answer.writableEnded
    if (isMidAnswer) socket.destroy()
    else refuseBytes(error, socket, headers)
  })
  server.requestTimeout = 30_000
  server.headersTimeout = 10_000
  server.keepAliveTimeout = 65_000
  server.timeout = 60_000

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(refuseAddress(host, port, error)))
    server.listen({ host, port }, resolve)
  })

  const isBehindProxy = trustProxy.length > 0

  return {
    port: (server.address() as AddressInfo).port,
    open(handler) {
      application = handler
      state = 'open'
    },
    async close() {
      state = 'closing'
      // a notified client does not send its next request into a closing connection
      for (const response of answers.values())
        if (response && !response.headersSent) response.setHeader('connection', 'close')
      const closingAt = Date.now()
      while ((isBehindProxy || answers.size > 0) && Date.now() - closingAt < DRAIN_MS) {
        await sleep(25)
        if (Date.now() - closingAt > COURTESY_MS) server.closeIdleConnections()
      }
      const closed = new Promise((resolve) => server.close(resolve))
      const idle = setInterval(() => server.closeIdleConnections(), 100)
      const late = setTimeout(() => server.closeAllConnections(), FINISH_MS)
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}

function refuseAddress(host: string, port: number, { code, message }: NodeJS.ErrnoException) {
  const where = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (code === 'EADDRINUSE')
    return new StartRefusal(`${where} is taken by another process; set HOST and PORT to an address that is free.`)
  if (code === 'EACCES') return new StartRefusal(`${where} is not allowed to this user; set PORT to 1024 or above.`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartRefusal(`HOST holds ${JSON.stringify(host)}; it should hold an address of this machine.`)
  return new StartRefusal(`Cannot listen on ${where}: ${message}`)
}

/** Refuses bytes that Node could not parse as a request, or that came too late. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, headers: Record<string, string>) {
  if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy()
  const status = UNREADABLE[error.code ?? ''] ?? 400
  const { id, body } = answerOf(refusal('request_unreadable'))
  const lines = Object.entries({
    ...headers,
    'x-request-id': id,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`)
}

/** Statuses by Node's error codes; 400 for the rest. */
const UNREADABLE: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** Formats the answer like every error (api.md, section 1). */
function answerOf(refused: Refusal) {
  const id = randomUUID()
  return { id, body: JSON.stringify({ error: refusalBody(refused), requestId: id }) }
}
