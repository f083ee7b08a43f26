import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { waitUntil } from './server.ts'

/** A mail as it arrived, decoded. */
export type Mail = {
  from: string
  /** The name by which the client introduced itself. */
  greetedAs: string
  /** The name of the sender. */
  fromName: string
  /** Addresses of the `To` header. */
  to: string[]
  /** Addresses of the envelope, blind copies included. */
  recipients: string[]
  subject: string
  text: string
  html: string
  /** Every occurrence of a header, by its lower-case name. */
  headers: Record<string, string[]>
}

type Refusal = { code: number; left: number; at: 'recipient' | 'data'; to?: string }

/** A mail server on loopback that accepts and stores all mails except those that `refuse` rejects. */
export async function fakeSmtp() {
  const messages: Mail[] = []
  const refusals: Refusal[] = []

  /** Returns the SMTP error for this stage and recipient, if one is due. */
  function refusalAt(stage: Refusal['at'], recipients: string[]) {
    const due = refusals.find(({ at, left, to }) => at === stage && left > 0 && (!to || recipients.includes(to)))
    if (!due) return null
    due.left -= 1
    return Object.assign(new Error(due.code < 500 ? 'Try again later' : 'Mailbox unavailable'), {
      responseCode: due.code,
    })
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anyone' }),
    onRcptTo: ({ address }, _session, done) => done(refusalAt('recipient', [address])),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk)
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      const refusal = refusalAt('data', recipients)
      if (refusal) return done(refusal)
      messages.push({ ...(await parse(Buffer.concat(chunks))), recipients, greetedAs: session.hostNameAppearsAs })
      done()
    },
  })
  server.on('error', () => undefined) // a caller that disconnects is no failure of the server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo

  return {
    /** `smtp://127.0.0.1:port`: `SMTP_URL`. */
    url: `smtp://127.0.0.1:${port}`,
    port,
    /** All accepted mails, oldest first. */
    messages,
    to: (address: string) => messages.filter(({ to }) => to.includes(address)),
    /**
     * Rejects the next mails, with 451 (try again) or 550 (never): after the data, or at the recipient if `at` is set
     * so.
     */
    refuse: (code: number, { times = 1, at = 'data', to }: { times?: number; at?: Refusal['at']; to?: string } = {}) =>
      void refusals.push({ code, left: times, at, to }),
    /** Waits for the first mail that `fits` and returns it; rejects after `timeoutMs`. */
    waitFor: (fits: (mail: Mail) => boolean, timeoutMs = 30_000) =>
      waitUntil(
        () => messages.find(fits),
        timeoutMs,
        `a mail among ${messages.length}: ${messages.map((mail) => mail.subject).join('; ')}`,
      ),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function parse(raw: Buffer): Promise<Omit<Mail, 'recipients' | 'greetedAs'>> {
  const mail = await PostalMime.parse(raw)
  const headers: Mail['headers'] = {}
  for (const { key, value } of mail.headers) headers[key] = [...(headers[key] ?? []), value]
  return {
    from: mail.from?.address ?? '',
    fromName: mail.from?.name ?? '',
    to: (mail.to ?? []).flatMap(({ address }) => address ?? []),
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
    headers,
  }
}
