import { type TeamRole, teamRoles } from '#contract/endpoint.ts'
import type { EventObject, PublicEvent } from '#contract/events.ts'
import type { Language } from '#contract/language.ts'
import { type MailGroup, type MailReader, mailGroups } from '#contract/mail-groups.ts'
import type { EmailTemplateKind, EmailText } from '#features/email-templates/contract.ts'
import type { Database, Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import type { Signal } from '../../platform/events/emit-event.ts'
import type { Event } from '../../platform/events/relay.ts'
import type { JobTry } from '../../platform/jobs/worker.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../../program/access/account-facts.ts'
import { findPresentOwner } from '../../program/auth/invitation-queries.ts'
import { portalUrl } from '../../program/custom-domains/portal-url.ts'
import type { Addressee, VariableValues } from './fill-template.ts'
import type { MailMessage, Part } from './message.ts'
import { accountOfMail, newsOfMail, partnerRecipient } from './news-queries.ts'
import { findAccount, findInTeam } from './queries.ts'
import type { Delivery, Post } from './transport.ts'

/**
 * A recipient. `userId`: the reader, who may have turned such mails off; `causedBy`: the account whose people ask;
 * `accountId`: the account whose look it has, if its job names none; `addressee`: their name in a text of the account;
 * `language`: English unless it is a partner's.
 */
export type Recipient = Omit<Post, 'letter' | 'look' | 'fromName'> & {
  addressee?: Addressee
  userId?: string
  causedBy?: string | null
  accountId?: string | null
  language?: Language
}

/** `later`: when its account is enabled again. Nothing: obsolete. */
type Due<Data> = (Recipient & { data: Data }) | 'later' | null | undefined

/**
 * Contents of a mail's job: its id, and whatever else identifies its facts; never a token. `reader`: the person of a team
 * whom this mail is for.
 */
type Job = { id: string; reader?: string }

type When<About> = { type: string; jobs(event: Event, tx: Transaction): About[] | Promise<About[]> }

/** Sends mails as soon as a signal arrives. */
export const onSignal = <Data extends object, About extends Job>(
  { type }: Signal<Data>,
  jobs: (data: Data, event: Event, tx: Transaction) => About[] | Promise<About[]>,
): When<About> => ({ type, jobs: (event, tx) => jobs(event.data as Data, event, tx) })

type Declared<Data> = {
  group: MailGroup
  title: string
  description: string
  write(data: NoInfer<Data>): MailMessage
  /** For previews and tests. */
  sample: NoInfer<Data>
  editable?: Editable<NoInfer<Data>>
}

/** For a mail whose text an account can replace. */
export type Editable<Data> = {
  /** Null if a mail with these facts keeps its usual text. */
  kind(data: Data): EmailTemplateKind | null
  /** The variables that this mail has beyond those of every mail. */
  values?(data: Data): VariableValues
  /** The facts in the place of `{{details}}`. */
  details?(data: Data): Part[]
  /** The sample of a kind, if it isn’t that of the mail. */
  sampleOf?(kind: EmailTemplateKind): Data
}

/** For a mail to the account's team: the roles that get it, each person separately. */
type ToTeam = { team?: readonly TeamRole[] }

type DeclaredMail<About extends Job, Data> = Declared<Data> &
  ToTeam & {
    when?: When<About>
    /** A stable name of this mail, by default its kind and id. */
    name?(about: About): string
    /** Reads the facts when the mail is sent. */
    read(services: Services, about: About): Promise<Due<Data>>
    /**
     * Called after the mail server accepted it, refused it for good, or could not be reached; when it has to wait; or
     * when it is not sent.
     */
    after?(
      services: Services,
      about: About,
      delivery: Delivery | Error | HeldMail | Skipped,
      attempt: JobTry,
    ): Promise<unknown>
    /** A person waits for the result, and will retry. */
    triedOnce?: true
    /** One of a batch: other waiting mail is sent first. */
    oneOfMany?: true
  }

type HeldMail = { outcome: 'held'; reason: string }
type Skipped = { outcome: 'pointless' | 'turned off' }

/**
 * A recipient of news: those of the team who get such mails, or a partner. News with equal occasions are mailed once; by
 * default one per event type and day.
 */
export type DigestRecipient = { to: 'team' | { partnerId: string }; occasion?: string }

type FromNews = {
  /** Events that are news, with their recipients. */
  news?: { [Type in PublicEvent]?: (object: EventObject<Type>) => DigestRecipient | null }
  /** Inserts news once a day, on this date of the account. */
  daily?(tx: Transaction, account: AccountFacts, today: string): Promise<unknown>
  /** One mail per subject. */
  alone?: true
}

type DeclaredNews<Data> = Declared<Data> &
  ToTeam &
  FromNews & {
    /** Reads the facts when the mail is sent, as its reader may see them. Null: obsolete. */
    read(gathered: Gathered): Promise<Data | null>
  }

/** The contents of a gathered mail, and its reader. */
export type Gathered = {
  db: Database
  /** The origin of the addresses in the mail. */
  origin: string
  /** Opens the bank details, whose last four digits are shown. */
  secrets: Secrets
  account: AccountFacts
  /** Null: a person of the account's team. */
  partnerId: string | null
  /** That person; undefined for the account's contact. */
  reader?: string | undefined
  /** The language of the mail, in which names of leads without one are said. */
  language?: Language | undefined
  news: { subjectId: string; occasion: string }[]
}

/** A text to try out with sample data, by mail to the person who asks for it. */
export type TestOfText = EmailText & { template: EmailTemplateKind; userId: string; language?: Language | undefined }

/** A kind of mail, whatever its facts. */
export type Mail = DeclaredMail<Job, object> & FromNews

/** Declares a mail that is sent at once. */
export const defineMail = <About extends Job, Data extends object>(declared: DeclaredMail<About, Data>) => declared

/**
 * Declares a mail whose news are gathered for a while; its job has only the id under which they are stored. By default
 * all readers of its group get it.
 */
export const newsMail = <Data extends object>({ read, ...declared }: DeclaredNews<Data>) => {
  const readers: readonly MailReader[] = mailGroups[declared.group].readers
  const { team = teamRoles.filter((role) => readers.includes(role)) } = declared
  return { ...declared, team, read: fromNews(read, team) }
}

/** A job queued by an earlier version names no account. */
type NewsJob = Job & { accountId?: string }

/** Null if the account is disabled, no longer has such a reader, or the news no longer apply. */
const fromNews =
  <Data>(read: (gathered: Gathered) => Promise<Data | null>, team: readonly TeamRole[]) =>
  async ({ db, config, secrets }: Services, { id, reader, ...job }: NewsJob): Promise<Due<Data>> => {
    const accountId = job.accountId ?? (await accountOfMail(db, id))
    if (accountId === undefined) return null
    const news = await newsOfMail(db, accountId, id)
    const [first] = news
    if (!first) return null
    const { partnerId } = first
    const account = await findAccount(db, accountId)
    const recipient: Recipient | undefined = partnerId
      ? await partnerRecipient(db, accountId, partnerId)
      : await readerInTeam(db, { accountId, reader }, team)
    if (!account || account.disabledAt || !recipient) return null
    const origin = partnerId ? portalUrl(config, account) : config.appUrl
    const { userId, language } = recipient
    const data = await read({ db, origin, secrets, account, partnerId, reader: userId, language, news })
    if (data === null) return null
    // replies to a mail about the program go to its owner
    const replyTo = partnerId ? (await findPresentOwner(db, accountId))?.email : null
    return { ...recipient, accountId, replyTo, data }
  }

type ForTeam = { accountId: string; reader?: string | undefined }

/** Reads a mail to a person of the account's team while their role gets it; it waits while the account is disabled. */
export async function readForTeam<Data>(
  { db }: Services,
  about: ForTeam,
  team: readonly TeamRole[],
  read: (account: AccountFacts) => Data | null | Promise<Data | null>,
): Promise<Due<Data>> {
  const account = await findAccount(db, about.accountId)
  const reader = await readerInTeam(db, about, team)
  const data = account && reader && (await read(account))
  if (!data) return null
  return account.disabledAt ? 'later' : { ...reader, data }
}

/** A job queued by an earlier version names no reader: it is for the account's contact. */
async function readerInTeam(db: Database, { accountId, reader }: ForTeam, team: readonly TeamRole[]) {
  const found = reader ? await findInTeam(db, accountId, reader, team) : await findPresentOwner(db, accountId)
  return found && { to: found.email, userId: found.userId }
}

export const listSubjects = ({ news }: Gathered) => [...new Set(news.map(({ subjectId }) => subjectId))]

/** The view of the account's team, or of the recipient partner. */
export const getReader = ({ account, partnerId, language = 'en' }: Gathered) =>
  ({ as: partnerId ? 'partner' : 'owner', partnerId, account, language }) as const
