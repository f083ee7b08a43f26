import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A proxy to a PostgreSQL that can be cut and opened again at the same address. `onConnection` gets each connection.
 */
export async function proxyTo(url: string, onConnection: (incoming: Socket) => void = () => {}) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    onConnection(incoming)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  let port = 0
  const open = () =>
    new Promise<void>((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as AddressInfo).port
        resolve()
      }),
    )
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await closed
  }
  await open()
  return { url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href, open, cut }
}
