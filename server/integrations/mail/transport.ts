import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { isDomain } from '#contract/values.ts'
import type { Config } from '../../platform/config/config.ts'
import { oneLine } from '../../platform/format-values.ts'
import { getOutboxFolder, savedMail } from '../../platform/outbox.ts'
import type { MailLook } from './layout.ts'
import { type MailMessage, nameOr } from './message.ts'

/** The result of a mail. `refused`: for good, by the mail server. Any other failure is thrown, to be retried. */
export type Delivery = { outcome: 'sent' } | { outcome: 'kept'; text: string } | { outcome: 'refused'; reason: string }

/** A letter with its recipient, reply address and unsubscribe address. */
export type Post = {
  to: string
  letter: MailMessage
  replyTo?: string | null
  /** The name it comes from, instead of the account's. */
  fromName?: string | null
  unsubscribeUrl?: string | null
  look?: MailLook | null
}

type Sent = { letter: Pick<MailMessage, 'account'>; fromName?: string | null | undefined }

/**
 * Sends a letter by the mail server, or without one saves it as `{name}.eml` in DATA_DIR/outbox. `name` identifies the
 * mail: a repetition has the same message id and file.
 */
export async function deliverMail(config: Config, name: string, post: Post): Promise<Delivery> {
  // loaded only in processes that send mails
  const { renderMail } = await import('./layout.ts')
  const mail = {
    from: buildSender(config, post),
    to: { name: '', address: oneLine(post.to) },
    ...(post.replyTo && { replyTo: { name: '', address: oneLine(post.replyTo) } }),
    ...renderMail(post.letter, post),
    messageId: `<${name}@${new URL(config.appUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(post) },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  if (!config.smtpUrl) {
    await saveToOutbox(config, name, mail)
    return { outcome: 'kept', text: mail.text }
  }
  try {
    const server = await serverAt(connectionTo(config.smtpUrl, config.appUrl))
    await server.sendMail(mail)
    return { outcome: 'sent' }
  } catch (error) {
    const { code, responseCode = 0, message } = error as Error & { code?: string; responseCode?: number }
    // a refused sign-in or connection is the operator's problem, not the recipient's
    const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
    if (isAboutMail && responseCode >= 500) return { outcome: 'refused', reason: oneLine(message).slice(0, 500) }
    throw error
  }
}

/** Returns the install's address with the name that the account chose, else its own: 'Northwind via Tributary'. */
export function buildSender({ mailFrom }: Pick<Config, 'mailFrom'>, { letter: { account }, fromName }: Sent) {
  const [, ownName = '', address = mailFrom] = /^([^<]*)<([^<>]+)>$/.exec(mailFrom) ?? []
  const chosen = nameOr(fromName, '')
  if (chosen) return { name: chosen, address }
  const name = ownName.trim().replace(/^"(.*)"$/, '$1')
  const accountName = account?.includes('@') ? '' : nameOr(account, '')
  return { name: accountName ? `${accountName} via ${name || 'Tributary'}` : name, address }
}

/** Headers for the button that mail programs show beside the sender (RFC 8058). */
const unsubscribeHeaders = ({ unsubscribeUrl }: Post) =>
  unsubscribeUrl && {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }

const servers = new Map<string, Transporter>()
/** Returns one transport per process, without persistent connections: mails are few. */
async function serverAt({ url, requireTLS }: Connection): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const key = `${requireTLS} ${url}`
  let server = servers.get(key)
  if (!server) {
    const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
    server = createTransport({ url, requireTLS, ...timeouts } as Parameters<typeof createTransport>[0])
    servers.set(key, server)
  }
  return server
}

/** Connects, with TLS if requested, and signs in; sends nothing. Throws the mail server's error. */
export async function greetMailServer(smtpUrl: string, appUrl: string): Promise<void> {
  const server = await serverAt(connectionTo(smtpUrl, appUrl))
  await server.verify()
}

/** Returns the mail server as shown to administrators, without credentials. */
export function mailServer({ smtpUrl }: Pick<Config, 'smtpUrl'>) {
  if (!smtpUrl) return null
  const { hostname, port, protocol } = new URL(smtpUrl)
  return { host: hostname, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) }
}

/**
 * Requires TLS, since mails contain links that grant access and a man in the middle could drop the server's offer of
 * TLS. `?tls=off` in the address permits its absence, and so does a host on this machine. `?name=` is what the product
 * calls itself there, since relays refuse short names: by default the host of APP_URL.
 */
function connectionTo(smtpUrl: string, appUrl: string): Connection {
  const url = new URL(smtpUrl)
  const isFree = url.searchParams.get('tls') === 'off' || LOOPBACK.test(url.hostname)
  if (url.searchParams.has('tls')) url.searchParams.delete('tls')
  const { hostname } = new URL(appUrl)
  if (!url.searchParams.has('name') && isDomain(hostname)) url.searchParams.set('name', hostname)
  return { url: url.href, requireTLS: !isFree }
}
type Connection = { url: string; requireTLS: boolean }
const LOOPBACK = /^(localhost|\[::1\]|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

/** Saves a mail atomically, readable only by the process's user, because it contains links. */
async function saveToOutbox(config: Config, name: string, mail: SendMailOptions & { text: string; html: string }) {
  const { createTransport } = await import('nodemailer')
  const renderer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await renderer.sendMail({
    ...mail,
    text: asWritten('plain', mail.text),
    html: asWritten('html', mail.html),
  })
  const folder = getOutboxFolder(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(draft, message as Buffer, { mode: 0o600, flag: 'wx' })
    await rename(draft, savedMail(config, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Formats a part without folding or encoding, since links are copied out of the file by hand. */
const asWritten = (type: 'plain' | 'html', content: string) => ({
  raw: `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}`,
})
