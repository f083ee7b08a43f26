import type { EditableEmail, UsualEmail } from '#contract/editable-email.ts'

/** Its emails whose text an account can replace. */
export const editableEmails = {
  'claim-accepted': { variables: ['claim'], blocks: ['details', 'button'] },
  'claim-declined': { variables: ['claim', 'reason'], blocks: ['details', 'button'] },
} as const satisfies Record<string, EditableEmail>

export const usualEmails: Record<keyof typeof editableEmails, UsualEmail> = {
  'claim-accepted': {
    title: 'Claim accepted',
    description: 'A claim of a missing sale was accepted.',
    subject: 'Your claim was accepted',
    body: `{{company}} accepted your claim of a missing sale.

{{details}}

{{button}}`,
  },
  'claim-declined': {
    title: 'Claim declined',
    description: 'A claim of a missing sale was declined.',
    subject: 'We couldn’t credit this sale',
    body: `{{company}} declined your claim of a missing sale.

{{details}}

{{button}}`,
  },
}
