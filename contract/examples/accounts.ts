import type * as room from '../accounts.ts'
import type { ExamplesOf } from './example.ts'
import { APP, account, onlyPage, owner, setUpUrl, stats } from './objects.ts'

const ownerInvitation = {
  email: owner.email,
  status: 'pending',
  sentAt: null,
  expiresAt: '2026-07-21T09:12:05.731Z',
  mailed: false,
  url: setUpUrl,
  presentOwner: null,
} as const
const toAdministrators = { ...account, apiKey: null, ownerInvitation }
const newOwner = { email: owner.email, firstName: 'Elena', lastName: 'Marsh' }

export const accounts: ExamplesOf<typeof room> = {
  createAccount: {
    body: {
      name: 'Acme',
      defaultCurrency: 'usd',
      timeZone: account.timeZone,
      defaultCommissionSettings: account.defaultCommissionSettings,
      owner: newOwner,
    },
    refused: ['time_zone_unknown'],
    reply: toAdministrators,
  },
  listAccounts: {
    query: { status: 'enabled', sort: 'name' },
    reply: onlyPage({ ...toAdministrators, ownerInvitation: null, stats }),
  },
  getAccount: { reply: account },
  changeAccount: {
    refused: [
      'own_factor_first',
      'requiring_second_factor',
      'field_not_yours',
      'currency_fixed_by_commission_entry',
      'currency_fixed_by_terms',
      'currency_fixed_by_exchange_rate',
      'currency_fixed_by_method',
      'currency_fixed_by_payout',
      'currency_fixed_by_sale',
      'only_name_for_administrators',
      'payday_wrong',
      'time_zone_unknown',
    ],
    body: {
      defaultCommissionSettings: { layerRates: [20, 5] },
      payoutDelay: 30,
      minimumPayout: 50_00,
      paydays: { every: 'month', days: [1, 15] },
      partnerVisibility: { leadEmails: false },
    },
    reply: account,
  },
  enableAccount: { body: { reason: 'Invoice settled' }, reply: { ...toAdministrators, ownerInvitation: null } },
  disableAccount: {
    body: { reason: 'Invoice overdue' },
    reply: {
      ...toAdministrators,
      ownerInvitation: null,
      disabledAt: '2026-09-01T10:00:00.000Z',
      disabledReason: 'Invoice overdue',
    },
  },
  getPublicBrand: {
    refused: ['not_found'],
    query: { account: account.publicId },
    reply: {
      displayName: 'Acme',
      logoUrl: `${APP}/files/Qm7xKq2VzR9wT4nHc6LdYs?v=5a1c90be`,
      accent: '#0e7c86',
      programUrl: `${APP}/join/acme`,
      language: 'en',
      signInUrl: `${APP}/auth/sign-in`,
    },
  },
  getAccountOwner: { reply: owner },
  assignAccountOwner: { body: newOwner, reply: toAdministrators },
  retryOwnerInvitation: { refused: ['invitation_accepted', 'just_sent'], reply: ownerInvitation },
  renewApiKey: { refused: ['password_first'], reply: account },
}
