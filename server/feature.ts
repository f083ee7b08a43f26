import type { MailKind } from '#contract/mail-kinds.ts'
import type { ImportContext } from './integrations/imports/kinds/kind.ts'
import type { Mail } from './integrations/mail/mail.ts'
import type { Message } from './integrations/outgoing-webhooks/describe-event.ts'
import type { Database } from './platform/database/pool.ts'
import type { Listener } from './platform/events/relay.ts'
import type { Clocks } from './platform/jobs/clocks.ts'
import type { Services } from './platform/services.ts'
import type { AccountFacts } from './program/access/account-facts.ts'
import type { ActsOnMany } from './program/bulk-actions/acts.ts'
import type { Watched } from './program/dashboard/dashboard.ts'
import type { Asking } from './program/questions/ask.ts'

/** The server's part of a feature: each field is read by the one place that needs it. */
export type Feature = {
  /** Items of an owner’s dashboard and weekly summary. */
  attention?: readonly Watched[]
  /** About which an account asks its partners. */
  questions?: readonly Asking[]
  mails?: Partial<Record<MailKind, Mail>>
  clocks?: Clocks
  /** Follow events and signals. */
  listeners?: readonly Listener[]
  /** Adds what an imported row has for this feature to the partner made from it. */
  importedPartners?: readonly ((
    importing: ImportContext,
    partnerId: string,
    extras: { promotionCodes: string[] },
  ) => Promise<unknown>)[]
  /** Empties what it has copied of an erased person of the account. */
  afterErasure?: readonly ((db: Database, account: { id: string }) => Promise<unknown>)[]
  /** How its events read in a chat. */
  messages?: readonly Message[]
  /** Actions on many of its objects, each on one of them. */
  bulkActions?: Partial<ActsOnMany>
  /** Deletes what is too old, once an hour. */
  retention?: readonly ((services: Services) => Promise<unknown>)[]
  /** Deletes or empties what an account keeps for a limited time, in the account’s night. */
  accountRetention?: readonly ((account: AccountFacts, services: Services) => Promise<unknown>)[]
}

/** Checks the declaration of a feature, and keeps its exact type. */
export const feature = <const Declared extends Feature>(declared: Declared): Declared => declared
