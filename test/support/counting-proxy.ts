import { proxyTo } from './postgres-proxy.ts'

/** A proxy to a PostgreSQL that counts its connections and the statements run over them. */
export async function aCountingWay(url: string) {
  const counted = { connections: 0, statements: 0 }
  const way = await proxyTo(url, (incoming) => {
    counted.connections++
    incoming.on(
      'data',
      countStatements(() => counted.statements++),
    )
  })
  return { url: way.url, counted, close: way.cut }
}

/** Parses a client's messages: a simple query, or the execution of a prepared one. Its first message has no letter. */
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
