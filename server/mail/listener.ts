import type { Transaction } from '../platform/database/pool.ts'
import type { OutboxEvent } from '../jobs/outbox.ts'
import type { JobData } from '../platform/jobs/queue.ts'
import type { Services } from '../platform/services.ts'

/** Which mails follow from an event. A job names what the mail is about, never a token. */
const mails: Record<string, (event: OutboxEvent) => JobData['mail'][]> = {
  'invitation.requested': ({ data }) => [
    { kind: 'invitation', id: String(data.invitationId), sendCount: data.sendCount, again: data.again },
  ],
  'password.reset-requested': ({ data }) => [{ kind: 'password-reset', id: String(data.resetId) }],
  'password.changed': ({ id, data }) => [{ kind: 'password-changed', id: String(id), userId: data.userId }],
  'session.reused': ({ data }) => [{ kind: 'session-ended', id: String(data.sessionId), userId: data.userId }],
  'partner.payout-settings-updated': ({ id, data }) =>
    recipientsOf(data).map((recipient, index) => ({
      kind: 'payout-settings',
      id: `${id}-${index}`,
      partnerId: (data.object as { partnerId: string }).partnerId,
      recipient,
    })),
}

/** Turns an event into the jobs of its mails. */
export async function mailListener(tx: Transaction, services: Services, event: OutboxEvent): Promise<void> {
  for (const mail of mails[event.type]?.(event) ?? []) await services.jobs.add(tx, 'mail', mail)
}

/** A first entry of deposit details names nobody: it is no change. */
const recipientsOf = ({ recipients }: OutboxEvent['data']) => [
  ...new Set(Array.isArray(recipients) ? recipients.map(String) : []),
]
