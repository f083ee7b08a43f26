import { request } from 'node:https'

/** The name in the samples of `deploy/`. */
export const NAME = 'partners.example.com'

export type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string }
type Answered = { status: number; headers: NodeJS.Dict<string | string[]>; text: string }

/** Over TLS; `from` is the caller's own address, of which this machine has a whole network. */
export function askOver(
  port: number,
  ca: string,
  path: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Sent,
) {
  return new Promise<Answered>((resolve, reject) => {
    const to = { host: '127.0.0.1', port, servername: NAME, ca, localAddress: from, agent: false as const }
    const call = request({ ...to, path, method, headers: { host: NAME, ...headers } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    call.on('error', reject).end(body)
  })
}
