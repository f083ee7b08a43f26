import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answer } from './child.ts'

// The load: kept connections that send one request after the other, each as soon as the last one is answered.

export type Load = {
  port: number
  connections: number
  ms: number
  /**
   * A whole HTTP request. `{number}` becomes nine digits that count up from `first`, `{visitor}` an address,
   * `{thing}` four digits below `things`.
   */
  request: string
  first: number
  things: number
}

/** Latencies in ms. `statuses` counts every answer, also those that came after the time was up. */
export type Outcome = { perSecond: number; median: number; p99: number; statuses: Record<number, number>; sent: number }

answer<Load, Outcome>(async ({ port, connections, ms, request, first, things }) => {
  const pieces = request.split(/(\{number\}|\{visitor\}|\{thing\})/)
  let number = first
  const next = () => {
    number++
    let text = ''
    for (const piece of pieces)
      if (piece === '{number}') text += String(number).padStart(9, '0')
      else if (piece === '{visitor}') text += `203.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
      else if (piece === '{thing}') text += String((number * 7919) % things).padStart(4, '0')
      else text += piece
    return text
  }

  const latencies: number[] = []
  const statuses: Record<number, number> = {}
  const startedAt = performance.now()
  const until = startedAt + ms

  const talk = async (socket: Socket) => {
    await once(socket, 'connect')
    socket.setNoDelay()
    await new Promise<void>((resolve, reject) => {
      let sentAt = performance.now()
      let received = ''
      socket.setEncoding('latin1')
      socket.on('data', (chunk: string) => {
        received += chunk
        const length = lengthOf(received)
        if (length === undefined || received.length < length) return
        const now = performance.now()
        const status = Number(received.slice(9, 12))
        statuses[status] = (statuses[status] ?? 0) + 1
        received = ''
        if (now >= until) {
          socket.end()
          return resolve()
        }
        latencies.push(now - sentAt)
        sentAt = now
        socket.write(next())
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.write(next())
    })
  }
  await Promise.all(Array.from({ length: connections }, () => talk(connect(port, '127.0.0.1'))))

  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return { perSecond: latencies.length / (ms / 1000), median: at(0.5), p99: at(0.99), statuses, sent: number - first }
})

/** Of the whole answer, head included; undefined while its head is not there. */
function lengthOf(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(received)
  if (!length) throw new Error(`an answer without a length: ${received.slice(0, 200)}`)
  return head + 4 + Number(length[1])
}
