import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { type TestApp, waitUntil } from './app.ts'

/** A mail in DATA_DIR/outbox. `link` is the address of its button, with the token. */
export type KeptMail = {
  name: string
  /** Permission bits of the file. */
  mode: number
  to: string[]
  subject: string
  text: string
  html: string
  link: string | undefined
  raw: string
}

/** Mails that were read before, by path, time and size of the file. */
const known = new Map<string, KeptMail>()
const MOST_KNOWN = 2000

/** Returns all mails that an app without a mail server has stored, in the order of their names. */
export async function listSavedMails({ services }: TestApp): Promise<KeptMail[]> {
  const folder = join(services.config.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(names.map((name) => readMail(folder, name)))
}

async function readMail(folder: string, name: string): Promise<KeptMail> {
  const file = join(folder, name)
  const { mode, mtimeMs, size } = await stat(file)
  const key = `${file} ${mtimeMs} ${size}`
  const before = known.get(key)
  if (before) return { ...before, mode: mode & 0o777 }
  const raw = await readFile(file, 'utf8')
  const { to, subject = '', text = '', html = '' } = await PostalMime.parse(raw)
  const addresses = (to ?? []).flatMap(({ address }) => address ?? [])
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  const mail = { name, mode: mode & 0o777, to: addresses, subject, text, html, link, raw }
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, mail)
  return mail
}

/**
 * Returns the newest mail of a kind (`password-reset` …) to this address that contains `words`, once it is stored;
 * needs an app with a worker.
 */
export const findSavedMail = (app: TestApp, kind: string, to: string, words = /./) =>
  waitUntil(
    async () =>
      (await listSavedMails(app)).findLast(
        ({ name, to: receivers, text }) => name.startsWith(`${kind}-`) && receivers.includes(to) && words.test(text),
      ),
    30_000,
  )
