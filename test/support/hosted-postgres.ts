import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Differences of a rented PostgreSQL from one that an operator runs. */
type Ways = {
  /** Refuses passwords of roles at the commit unless they are sent as plain text, as Neon does. */
  onlyPlainPasswords?: boolean
  /** Takes only users named `role.project`, as Supabase's shared pooler does. */
  project?: string
  /** Refuses every second role with this error. */
  refuses?: { at: 'the sign-in' | 'the statement' | 'the commit'; code: string; message: string }
}

export type Host = { url: string; statements: string[]; close(): Promise<void> }

const SSL_REQUEST = 80_877_103
const REFUSED = { code: 'XX000', message: 'Neon only supports being given plaintext passwords' }
const UNKNOWN = { code: 'XX000', message: 'Tenant or user not found' }

/**
 * A real PostgreSQL as a hosting service sells it: a proxy in front of the database of `url`, which answers on the
 * service's behalf where its documentation differs from PostgreSQL's. `statements` are those of the simple protocol.
 */
export async function startHost(url: string, { onlyPlainPasswords, project, refuses }: Ways): Promise<Host> {
  const target = new URL(url)
  const statements: string[] = []
  const open = new Set<Socket>()

  const serve = (client: Socket) => {
    const database = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) open.add(socket.on('close', () => open.delete(socket)).on('error', end))
    client.on('close', end)
    database.on('close', end).pipe(client)
    let [waiting, isStarted, isRefusable] = [Buffer.alloc(0), false, false]

    const begin = (message: Buffer) => {
      if (message.readInt32BE(4) === SSL_REQUEST) return void client.write('N')
      const words = message.subarray(8).toString().split('\0')
      const place = words.indexOf('user') + 1
      const [given = '', suffix] = [words[place], `.${project}`]
      if (project && !given.endsWith(suffix)) return void client.end(failure(UNKNOWN))
      const role = project ? given.slice(0, -suffix.length) : given
      if (refuses?.at === 'the sign-in' && role.endsWith('_serving')) return void client.end(failure(refuses))
      words[place] = role
      isStarted = true
      database.write(framed(message.subarray(4, 8), words.join('\0')))
    }

    const pass = (message: Buffer) => {
      if (message[0] !== 0x51) return void database.write(message)
      const text = message.subarray(5, -1).toString()
      statements.push(text)
      const isRole = /^(create|alter) role /.test(text)
      const isHashed = / password '(SCRAM-SHA-256\$|md5)/.test(text)
      if (isRole && (refuses?.at === 'the commit' || (onlyPlainPasswords && isHashed))) isRefusable = true
      const isNow = (isRole && refuses?.at === 'the statement') || (isRefusable && text === 'commit')
      if (text === 'commit' || text === 'rollback') isRefusable = false
      if (!isNow) return void database.write(message)
      const { code, message: words } = refuses ?? REFUSED
      const refusal = `do 'begin raise exception using errcode = ''${code}'', message = ''${words}''; end'\0`
      database.write(Buffer.concat([Buffer.from('Q'), framed(text === 'commit' ? 'rollback; ' : '', refusal)]))
    }

    client.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      for (;;) {
        const from = isStarted ? 1 : 0
        if (waiting.length < from + 4) return
        const length = from + waiting.readInt32BE(from)
        if (waiting.length < length) return
        const message = waiting.subarray(0, length)
        waiting = waiting.subarray(length)
        if (isStarted) pass(message)
        else begin(message)
      }
    })
  }

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(url)
  own.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  if (project) own.username += `.${project}`
  return {
    url: own.href,
    statements,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns the parts after their length. */
function framed(...parts: (Buffer | string)[]) {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([length, body])
}

const failure = ({ code, message }: { code: string; message: string }) =>
  Buffer.concat([Buffer.from('E'), framed(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)])
