import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerParent } from './child.ts'

// The load: persistent connections that send one request after the other, each as soon as the last one is answered, or
// at a pace. At a pace, latency counts from the moment a request was due, even if no connection was free.

export type Load = {
  port: number
  connections: number
  ms: number
  /**
   * A whole HTTP request. `{number}` becomes nine digits that count up from `first`, `{visitor}` an address, `{thing}`
   * four digits below `things`. Several requests are sent in turn.
   */
  request: string | string[]
  first: number
  things: number
  /** Requests a second, evenly; undefined: as many as are answered. */
  pace?: number
  /** Number of requests after which it ends, even before its time. */
  most?: number
}

/** Latencies in ms. `statuses` counts every answer, including those after the time was up. */
export type Outcome = { perSecond: number; median: number; p99: number; statuses: Record<number, number>; sent: number }

answerParent<Load, Outcome>(async ({ port, connections, ms, request, first, things, pace, most }) => {
  const requests = [request].flat().map((one) => one.split(/(\{number\}|\{visitor\}|\{thing\})/))
  let number = first
  const next = () => {
    number++
    let text = ''
    for (const piece of requests[number % requests.length]!)
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

  const turns = pace === undefined ? anyTime(most) : atPace(pace, startedAt, until)

  const talk = async (socket: Socket) => {
    await once(socket, 'connect')
    socket.setNoDelay()
    await new Promise<void>((resolve, reject) => {
      let dueAt = 0
      let received = ''
      const sendNext = () =>
        turns((due) => {
          if (due === null) {
            socket.end()
            return resolve()
          }
          dueAt = due
          socket.write(next())
        })
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
        latencies.push(now - dueAt)
        sendNext()
      })
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      sendNext()
    })
  }
  await Promise.all(Array.from({ length: connections }, () => talk(connect(port, '127.0.0.1'))))

  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0
  return { perSecond: latencies.length / (ms / 1000), median: at(0.5), p99: at(0.99), statuses, sent: number - first }
})

/** Calls a free connection with the due time of its next request, or with null once the time is up. */
type Turns = (take: (due: number | null) => void) => void

const anyTime =
  (left = Number.POSITIVE_INFINITY): Turns =>
  (take) =>
    take(left-- > 0 ? performance.now() : null)

function atPace(pace: number, from: number, until: number): Turns {
  const free: ((due: number | null) => void)[] = []
  const late: number[] = []
  let due = from
  const timer = setInterval(() => {
    const now = performance.now()
    for (; due <= now && due < until; due += 1000 / pace) {
      // the connection that has waited longest: a server closes idle ones
      const take = free.shift()
      if (take) take(due)
      else late.push(due)
    }
    if (now < until) return
    clearInterval(timer)
    for (const take of free.splice(0)) take(null)
  }, 1)
  return (take) => {
    const first = late.shift()
    if (first !== undefined) take(first)
    else if (performance.now() >= until) take(null)
    else free.push(take)
  }
}

/** The length of the whole answer, head included; undefined until its head is complete. */
function lengthOf(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const length = /\r\ncontent-length: (\d+)/i.exec(received)
  if (!length) throw new Error(`an answer without a length: ${received.slice(0, 200)}`)
  return head + 4 + Number(length[1])
}
