import type { Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words of small pieces that several screens share. */
export const pieceWords = defineWords('piece', 'partner', {
  money: {
    receipt: ({ amount, partner }: { amount: Word; partner: Word }) => `Receipt for ${amount} to ${partner}`,
    ofBalance: ({ part, amount }: { part: Word; amount: Word }) => `${part}: ${amount}, view the commissions`,
    ofSale: ({ amount, lead }: { amount: Word; lead: Word }) => `${amount} in commission for ${lead}`,
  },

  printed: {
    why: 'Email isn’t set up on this server, and this link can’t be shown here. The server’s operator can print it with the command below.',
    command: 'Command that prints the link',
    line: ({ email }: { email: Word }) => `npx tributary user invitations ${email}`,
  },

  deliveryLog: {
    missing: 'This delivery isn’t on this page of the list.',
    close: 'Close details',
  },

  countries: { us: 'United States' },

  expires: {
    over: 'Expired',
    after: { never: 'Never', month: 'In 30 days', quarter: 'In 90 days', year: 'In 1 year' },
  },

  freshProof: {
    heading: 'Confirm your password',
    why: 'For security, enter your password again.',
    confirm: 'Confirm password',
    wrong: 'The password is incorrect.',
  },

  progress: {
    of: ({ done, total }: { done: Word; total: Word }) => `${done} of ${total}`,
    soFar: ({ done }: { done: Word }) => `${done} so far`,
  },

  chooseFile: {
    choose: 'Choose file',
    another: 'Choose another file',
    drop: ({ most, kinds }: { most: Word; kinds: Word }) => `or drop it here. ${kinds}, up to ${most} MB.`,
    tables: 'CSV',
    sheets: 'CSV or .xlsx',
    empty: 'This file is empty.',
  },
})

/** The words of dialogs. */
export const dialogWords = defineWords('dialog', 'partner', {
  close: 'Close',
  cancel: 'Cancel',
  deleteHeading: ({ resource }: { resource: Word }) => `Delete ${resource}`,
  deleteBefore: 'This will delete ',
  deleteAfter: '. This action is permanent and cannot be undone.',
  delete: 'Delete',
  secretOnce: 'Copy it now. It won’t be shown again.',
  done: 'Done',
})
