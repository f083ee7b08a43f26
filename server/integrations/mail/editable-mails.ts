import { optionalMailGroups } from '#contract/mail-groups.ts'
import type { MailKind } from '#contract/mail-kinds.ts'
import type { EmailTemplateKind } from '#features/email-templates/contract.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import { type MailJob, mails } from './kinds/registry.ts'
import type { Mail, TestOfText } from './mail.ts'
import { mailQueue } from './queue.ts'

/** The facts of a sample that are the account's own. */
type Home = { accountName: string | null; url: string }

/** Returns the mail of which this kind of text is one, with sample data. */
export function sampleMail(template: EmailTemplateKind, home: Home) {
  for (const [kind, mail] of Object.entries(mails) as [MailKind, Mail][]) {
    const data = { ...(mail.editable?.sampleOf?.(template) ?? mail.sample), ...home }
    if (mail.editable?.kind(data) !== template) continue
    const { values, details } = mail.editable
    return {
      kind,
      data,
      letter: mail.write(data),
      values: values?.(data) ?? {},
      details: details?.(data) ?? [],
      isOptional: optionalMailGroups.includes(mail.group),
    }
  }
  throw new Error(`no mail has the text ${template}`)
}

export type SampleMail = typeof sampleMail

/** Has a mail with sample data sent to the person who asks for it. */
export async function sendTestOfText(tx: Transaction, jobs: Jobs, accountId: string, test: TestOfText): Promise<void> {
  const { kind } = sampleMail(test.template, { accountName: null, url: '' })
  await jobs.add(tx, mailQueue, { kind, id: newId(), accountId, test } as MailJob)
}
