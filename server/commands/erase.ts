import { readFile, rm } from 'node:fs/promises'
import { Instant } from '#contract/values.ts'
import { appendErased, ERASED_LIST, Erased, parseErasedList } from '../platform/backups/erased-list.ts'
import { StartRefusal } from '../platform/config/start-refusal.ts'
import { parseRecords } from '../platform/csv/read-csv.ts'
import { transaction } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { silent } from '../platform/http/logger.ts'
import { createJobs } from '../platform/jobs/queue.ts'
import { savedMail } from '../platform/outbox.ts'
import { eraseFormerUser } from '../program/auth/erase-users.ts'
import { type ErasedAgain, eraseListed } from '../program/privacy/erase-again.ts'
import { type Define, defineReport, type Report, UsageRefusal } from './command.ts'
import { parseEmail, withInstall } from './install.ts'

export const define: Define = (program) =>
  defineReport<{ list?: string; user?: string }>(
    program
      .command('erase')
      .description('Erase people again who are back after an older copy was put back, or a former member for good.')
      .option('--list <file>', 'erased people, as downloaded under Settings, Data, or erased.jsonl of BACKUP_DIR')
      .option('--user <email>', 'the sign-in address of a former member, who has no role any longer'),
    (_, { list, user }) => {
      if (Boolean(list) === Boolean(user)) throw new UsageRefusal('Use either --list FILE or --user EMAIL.')
      return list ? eraseFrom(list) : eraseUser(parseEmail(user!))
    },
  )

const eraseFrom = async (file: string): Promise<Report> => {
  const listed = await readList(file)
  return withInstall(async ({ config, db, secrets }) => {
    const jobs = createJobs(db.url, silent)
    try {
      const erased = await eraseListed({ config, db, jobs, secrets: await secrets() }, listed)
      return { lines: erasedLines(erased), json: { file, ...erased } }
    } finally {
      await jobs.stop({ graceful: false })
    }
  })
}

const MOST = 1_000_000

async function readList(file: string): Promise<Erased[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new StartRefusal(`${file} can’t be read: ${error.code}.`)
  })
  const isLines = text.trim() === '' || text.trimStart().startsWith('{')
  const listed = isLines ? parseErasedList(text) : await fromCsv(text)
  if (listed.length === 0 && text.trim() !== '')
    throw new StartRefusal(`${file} isn’t a list of erased people: download it under Settings, Data.`)
  return listed
}

/** Reads the file of `downloadErasures`, which doesn't name the account. */
async function fromCsv(csv: string): Promise<Erased[]> {
  const { columns, rows } = await parseRecords(csv, { field: 'list', most: MOST })
  return rows.flatMap(({ cells }) => {
    const cell = (name: string) => cells[columns.indexOf(name)]
    const [id, at, type, subjectId, reason] = ['id', 'at', 'subjectType', 'subjectId', 'reason'].map(cell)
    const by = reason === 'retention' ? null : 'system'
    const one = { id, at: Instant.safeParse(at).data, accountId: null, type, subjectId, subjectIds: [subjectId] }
    const { data } = Erased.safeParse({ ...one, reason, by })
    return data ? [data] : []
  })
}

/** Summarizes an erasure of listed people as text lines. */
export function erasedLines({ again, already, absent, needed }: ErasedAgain): string[] {
  const people = (count: number) => countInWords(count, 'person', 'people')
  return [
    `${people(again)} erased again; ${already} already erased here, ${absent} not in this database.`,
    ...(needed.length > 0
      ? [
          `Not erased, because an account has no other owner: ${needed.join(', ')}. Assign another owner, remove them there, then run npx tributary erase --user EMAIL.`,
        ]
      : []),
  ]
}

const eraseUser = (email: string): Promise<Report> =>
  withInstall(async ({ config, db }) => {
    const erased = await transaction(db, (tx) => eraseFormerUser(tx, email))
    if (erased === 'unknown') throw new StartRefusal(`No user has the email ${email}.`)
    if (erased === 'needed')
      throw new StartRefusal(
        `${email} still has a role or an open invitation. Remove them there first: an owner under Settings, People; an administrator with npx tributary admin remove; a partner by erasing the partner.`,
      )
    for (const name of erased.mails) await rm(savedMail(config, name), { force: true })
    const unlisted = config.backups && (await appendErased(db, config.backups.folder, [erased.id]).catch(codeOf))
    return {
      lines: [
        `${email} was erased. They can’t sign in, and the email is free again.`,
        ...(unlisted
          ? [`${ERASED_LIST} in BACKUP_DIR couldn’t be written (${unlisted}): the next backup adds the erasure to it.`]
          : []),
      ],
      json: { id: erased.id },
    }
  })

const codeOf = ({ code, message }: NodeJS.ErrnoException) => code ?? message
