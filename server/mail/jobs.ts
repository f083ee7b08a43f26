import { invitationForMail, invitationMailed, invitationRefused } from '../auth/invitations.ts'
import { resetToken } from '../auth/set-password.ts'
import { transaction } from '../database/pool.ts'
import type { JobData } from '../jobs/queue.ts'
import type { Services } from '../services.ts'
import {
  invitationLetter,
  type Letter,
  passwordChangedLetter,
  payoutSettingsLetter,
  resetLetter,
  sessionEndedLetter,
} from './letters.ts'
import { findPartnerAccount, findReset, findUser } from './queries.ts'
import { type Delivery, deliver } from './transport.ts'

type Mail = JobData['mail']

/** A mail that is due. `later`: not while its account is disabled. Null: it has become pointless. */
type Due = { to: string; letter: Letter } | 'later' | null

/** A disabled account's mails are looked at again so often, in seconds. */
const LOOK_AGAIN = 900

type Kind = {
  /** A stable name of this very mail. */
  name(mail: Mail): string
  write(services: Services, mail: Mail): Promise<Due>
  /** What follows when the mail server took it, refused it for good, or could not be asked. */
  after?(services: Services, mail: Mail, delivery: Delivery | Error): Promise<unknown>
}

const kinds: Record<string, Kind> = {
  invitation: {
    name: ({ id, sendCount }) => `invitation-${id}-${sendCount}`,
    async write({ db, ...services }, { id, sendCount }) {
      const invitation = await invitationForMail({ db, ...services }, id, Number(sendCount))
      if (!invitation) return null
      return invitation.isDisabled ? 'later' : { to: invitation.email, letter: invitationLetter(invitation) }
    },
    async after({ db }, { id, sendCount }, delivery) {
      if (delivery instanceof Error) await invitationRefused(db, id, Number(sendCount), delivery.message, false)
      else if (delivery.outcome === 'sent') await transaction(db, (tx) => invitationMailed(tx, id, Number(sendCount)))
      else if (delivery.outcome === 'refused') await invitationRefused(db, id, Number(sendCount), delivery.reason, true)
    },
  },
  'password-reset': {
    name: ({ id }) => `password-reset-${id}`,
    async write(services, { id }) {
      const reset = await findReset(services.db, id)
      if (!reset?.open) return null
      const url = `${services.config.appUrl}/auth/reset-password#token=${resetToken(services, id)}`
      return { to: reset.email, letter: resetLetter(url) }
    },
  },
  'password-changed': {
    name: ({ id }) => `password-changed-${id}`,
    write: (services, { userId }) => toUser(services, userId, passwordChangedLetter),
  },
  'session-ended': {
    name: ({ id }) => `session-ended-${id}`,
    write: (services, { userId }) => toUser(services, userId, sessionEndedLetter),
  },
  'payout-settings': {
    name: ({ id }) => `payout-settings-${id}`,
    async write({ db, config }, { partnerId, recipient }) {
      const account = await findPartnerAccount(db, partnerId)
      if (!account) return null
      if (account.disabledAt) return 'later'
      return {
        to: String(recipient),
        letter: payoutSettingsLetter(account.accountName, `${config.appUrl}/partner/settings`),
      }
    },
  },
}

async function toUser({ db, config }: Services, userId: unknown, letter: (url: string) => Letter): Promise<Due> {
  const user = await findUser(db, userId)
  return user ? { to: user.email, letter: letter(`${config.appUrl}/auth/reset-password`) } : null
}

/**
 * Sends one mail. Links get their tokens here and nowhere before. Throws where it should be tried again: the mail
 * server cannot be reached or says 4xx. A 5xx ends it.
 */
export async function sendMail(services: Services, mail: Mail): Promise<void> {
  const kind = kinds[mail.kind]
  if (!kind) throw new Error(`no mail of the kind ${mail.kind} is known`)
  const due = await kind.write(services, mail)
  if (!due) return
  if (due === 'later') {
    await transaction(services.db, (tx) => services.jobs.add(tx, 'mail', mail, { startAfter: LOOK_AGAIN }))
    return
  }
  try {
    const delivery = await deliver(services.config, kind.name(mail), due.to, due.letter)
    if (delivery.outcome === 'refused')
      services.log.warn({ mail: kind.name(mail), reason: delivery.reason }, 'the mail server refused a mail')
    await kind.after?.(services, mail, delivery)
  } catch (error) {
    await kind.after?.(services, mail, error as Error)
    throw error
  }
}
