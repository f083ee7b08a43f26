import { said, writer } from '../letter.ts'

type Invitation = {
  kind: 'administrator' | 'owner' | 'partner'
  accountName: string | null
  invitedBy: string | null
  firstName: string | null
  isUser: boolean
  url: string
}

const sample: Invitation = {
  kind: 'partner',
  accountName: 'Northwind',
  invitedBy: 'Nora Wind',
  firstName: 'Pia',
  isUser: false,
  url: 'https://partners.example.com/user-setup#token=sample',
}

export const invitation = writer(sample, ({ kind, isUser, url, ...names }) => {
  const account = said(names.accountName, 'Tributary')
  const firstName = said(names.firstName, '')
  const [role, subject] = {
    administrator: ['to administer this install of Tributary', 'Set up your administrator login on Tributary'],
    owner: [`to manage the referral program of ${account}`, `Set up ${account} on Tributary`],
    partner: [`to the partner program of ${account}`, `Your invitation to the partner program of ${account}`],
  }[kind] as [string, string]
  return {
    account: names.accountName,
    subject,
    preview: isUser ? 'Sign in to accept it.' : 'Choose a password to get started.',
    parts: [
      firstName ? `Hello ${firstName},` : 'Hello,',
      `${said(names.invitedBy, account)} invites you ${role}.`,
      isUser
        ? 'You already have a login. Sign in with this email address and accept the invitation.'
        : 'Choose a password to get started.',
      'The link works for 7 days. If you weren’t expecting this invitation, you can ignore this email.',
    ],
    button: { label: isUser ? 'Accept invitation' : 'Set up your account', url },
    showsLink: true,
    // owners are invited by administrators, who do not belong to the account
    because: `You get this email because ${kind === 'partner' ? `somebody at ${account}` : 'an administrator'} entered this address.`,
  }
})
