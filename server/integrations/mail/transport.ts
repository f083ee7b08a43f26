import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Config } from '../../platform/config/config.ts'
import { type Letter, oneLine, said } from './letter.ts'

/** The outcome of a mail. `refused`: for good, the mail server said so. Any other failure is thrown, to be tried again. */
export type Delivery = { outcome: 'sent' } | { outcome: 'kept'; text: string } | { outcome: 'refused'; reason: string }

/** A letter on its way: to whom, who is answered, and where one turns such mails off. */
export type Post = { to: string; letter: Letter; replyTo?: string | null; unsubscribeUrl?: string | null }

/**
 * Sends a letter by the mail server, or keeps it as `{name}.eml` in DATA_DIR/outbox where there is none.
 * `name` is always the same for the same mail: a repeated one has the same message id and takes the same file.
 */
export async function deliver(config: Config, name: string, post: Post): Promise<Delivery> {
  // what lays it out is only loaded where mails are sent
  const { rendered } = await import('./layout.ts')
  const mail = {
    from: senderOf(config, post.letter),
    to: { name: '', address: oneLine(post.to) },
    ...(post.replyTo && { replyTo: { name: '', address: oneLine(post.replyTo) } }),
    ...rendered(post.letter, post),
    messageId: `<${name}@${new URL(config.appUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(post) },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (!config.smtpUrl) {
    await keep(config, name, mail)
    return { outcome: 'kept', text: mail.text }
  }
  try {
    const server = await serverAt(config.smtpUrl)
    await server.sendMail(mail)
    return { outcome: 'sent' }
  } catch (error) {
    const { code, responseCode = 0, message } = error as Error & { code?: string; responseCode?: number }
    // a refused sign-in or connection is ours to mend, not the recipient's
    const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
    if (isAboutMail && responseCode >= 500) return { outcome: 'refused', reason: oneLine(message).slice(0, 500) }
    throw error
  }
}

/** The install's address in the account's name: 'Northwind via Tributary'. */
function senderOf({ mailFrom }: Config, { account }: Letter) {
  const [, ownName = '', address = mailFrom] = /^([^<]*)<([^<>]+)>$/.exec(mailFrom) ?? []
  const name = ownName.trim().replace(/^"(.*)"$/, '$1')
  const accountName = account?.includes('@') ? '' : said(account, '')
  return { name: accountName ? `${accountName} via ${name || 'Tributary'}` : name, address }
}

/** The button that mail programs show beside the sender (RFC 8058). */
const unsubscribeHeaders = ({ unsubscribeUrl }: Post) =>
  unsubscribeUrl && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }

const servers = new Map<string, Transporter>()
/** One per process, without kept connections: mails are few. */
async function serverAt(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  let server = servers.get(url)
  if (!server) {
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
    server = createTransport({ ...connectionTo(url), ...timeouts } as Parameters<typeof createTransport>[0])
    servers.set(url, server)
  }
  return server
}

/** Connects, by TLS where that is asked for, and signs in; sends nothing. Throws what the mail server has against it. */
export async function greetMailServer(url: string): Promise<void> {
  const server = await serverAt(url)
  await server.verify()
}

/** The mail server as administrators see it: never how it is signed in to. */
export function mailServer({ smtpUrl }: Pick<Config, 'smtpUrl'>) {
  if (!smtpUrl) return null
  const { hostname, port, protocol } = new URL(smtpUrl)
  return { host: hostname, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) }
}

/**
 * Mails hold links that open accounts, so a server that offers no TLS gets none: an attacker in between would only
 * have to drop the offer. `?tls=off` in the address frees it, and so does a host that is this machine.
 */
function connectionTo(smtpUrl: string) {
  const url = new URL(smtpUrl)
  const isFree = url.searchParams.get('tls') === 'off' || LOOPBACK.test(url.hostname)
  if (url.searchParams.has('tls')) url.searchParams.delete('tls')
  return { url: url.href, requireTLS: !isFree }
}
const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

/** The folder of mails that no mail server takes. */
export const outboxOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'outbox')

/** Only the owner of the process may read it, as it holds links; it is there whole or not at all. */
async function keep(config: Config, name: string, mail: SendMailOptions & { text: string; html: string }) {
  const { createTransport } = await import('nodemailer')
  const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await renderer.sendMail({
    ...mail,
    text: asWritten('plain', mail.text),
    html: asWritten('html', mail.html),
  })
  const folder = outboxOf(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
  await writeFile(draft, message as Buffer, { mode: 0o600, flag: 'wx' })
  await rename(draft, join(folder, `${name}.eml`))
}

/** A link is copied out of the file by hand, so no line is folded and no letter is encoded. */
const asWritten = (type: 'plain' | 'html', content: string) => ({
  raw: `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}`,
})
