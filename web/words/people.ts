import { formatPlural, type Word } from '#contract/format.ts'
import { defineWords } from '#contract/words.ts'

/** The words about the people of a team or partner. */
export const peopleWords = defineWords('people', 'partner', {
  plural: 'people',
  add: 'Add person',
  sent: 'Invitation sent',
  roles: { owner: 'Owner', manager: 'Manager', finance: 'Finance', viewer: 'Viewer' },
  roleHelp: {
    owner: 'Full access, including people and roles.',
    manager: 'Partners, links, leads, sales and integrations. No payouts.',
    finance: 'Approves payouts and tax years. Can’t change commissions.',
    viewer: 'Sees everything but keys and bank details.',
  },
  secondFactor: 'Second Factor',
  on: 'On',
  off: 'Off',
  signIn: 'Sign-in',
  factorFor: 'Second factor required for',
  factorScopes: { off: 'Nobody', team: 'Team', everyone: 'Team and partners' },
  factorHelp: 'An authenticator app or a passkey. People without one set it up before they can do anything else here.',
  lastSeen: 'Last seen',
  changeRole: 'Change role',
  changeRoleOf: ({ name }: { name: Word }) => `Change the role of ${name}`,
  roleChanged: 'Role changed',
  remove: 'Remove',
  removeHeading: ({ name }: { name: Word }) => `Remove ${name}`,
  removeWhy: ({ name }: { name: Word }) =>
    `${name} loses access immediately. Their past work is kept. API keys keep working: rotate those they may have copied.`,
  keysOf: ({ name, count }: { name: Word; count: number }) =>
    formatPlural(
      count,
      `${name} made 1 API key. Rotate it if ${name} still has it.`,
      `${name} made ${count} API keys. Rotate them if ${name} still has them.`,
    ),
  ownKeys: ({ count }: { count: number }) =>
    formatPlural(
      count,
      'You made 1 API key. Rotate it if you still have it.',
      `You made ${count} API keys. Rotate them if you still have them.`,
    ),
  showKeys: 'Show API keys',
  removed: 'Person removed',
  leave: 'Leave',
  leaveHeading: 'Leave this account',
  leaveWhy: 'You can’t open this account anymore. An owner can invite you again.',
  left: 'You left the account',

  /** For a partner's people, if different. */
  partner: {
    roles: { owner: 'Owner', member: 'Member' },
    roleHelp: {
      owner: 'Everything, with the payout details and the people.',
      member: 'Partners, leads and earnings. No payout details.',
    },
    newOwner:
      'Invite a new owner, for example when your contact has left. The partner is notified immediately. When the new owner accepts, automatic payouts pause for 72 hours.',
    removeWhy: ({ name }: { name: Word }) => `${name} loses access immediately. Their past work is kept.`,
    leaveHeading: 'Leave this partner account',
    leaveWhy: 'You can’t open it anymore. An owner can invite you again.',
    left: 'You left the partner account',
    managedBy: ({ name }: { name: Word }) => `Payout details are managed by ${name}.`,
  },
})
