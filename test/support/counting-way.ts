import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that counts the connections it carries and the statements that are run over it. */
export async function aCountingWay(url: string) {
  const target = new URL(url)
  const counted = { connections: 0, statements: 0 }
  const sockets = new Set<Socket>()
  const server = createServer((incoming) => {
    counted.connections++
    const outgoing = connect(Number(target.port), target.hostname)
    const count = countStatements(() => counted.statements++)
    incoming.on('data', count)
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    counted,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Reads what a client sends: a simple query, or the execution of a prepared one. Its first message has no letter. */
function countStatements(count: () => void) {
  let rest = Buffer.alloc(0)
  let isFirst = true
  return (piece: Buffer) => {
    rest = Buffer.concat([rest, piece])
    for (;;) {
      const head = isFirst ? 0 : 1
      if (rest.length < head + 4) return
      const end = head + rest.readUInt32BE(head)
      if (rest.length < end) return
      if (!isFirst && 'QE'.includes(String.fromCharCode(rest[0]!))) count()
      isFirst = false
      rest = rest.subarray(end)
    }
  }
}
