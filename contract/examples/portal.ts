import type * as room from '../portal.ts'
import { host } from './custom-domains.ts'
import type { ExamplesOf } from './example.ts'
import { APP, account, ids } from './objects.ts'

const token = 'tpp_AZg7QXwiez2PQF0emgbHJn4Wn9Tb3Hd6Ls1Pf0GaQ5JxVk2Zr5tYw9bLc'
const linkToken = 'tpl_AZg7QXwiez2PQF0emgbHJg1sPa6eXvQk2Zr5tYw9bLc4mHd7fJn4Wn9Tb'
const expiresAt = '2026-07-28T10:00:00.000Z'
const brand: room.Brand = {
  logoUrl: `${APP}/files/Qm7xKq2VzR9wT4nHc6LdYs?v=5a1c90be`,
  coverUrl: `${APP}/files/b8Tz0PcW4mJvY6eKqRn1Ux?v=c07d43f2`,
  accent: '#0e7c86',
  host,
  frameHosts: ['app.acme.example'],
  portalUrl: `https://${host.name}`,
}

export const portal: ExamplesOf<typeof room> = {
  createPortalSession: {
    refused: ['group_is_not_for_customers', 'partner_is_archived'],
    body: { kind: 'frame' },
    reply: { url: `${APP}/portal/${account.publicId}#token=${token}`, token, expiresAt },
  },
  openPortal: {
    refused: ['account_disabled', 'portal_ended'],
    body: { token: linkToken },
    reply: { accessToken: token, expiresAt },
  },
  getPortal: {
    reply: {
      partnerId: ids.partner,
      accountId: ids.account,
      displayName: 'Ada Bright',
      language: 'de',
      accountLanguage: 'en',
      view: 'program',
      expiresAt,
    },
  },
  getBrand: { reply: brand },
  checkHost: { refused: ['host_taken'], reply: brand },
  changeBrand: {
    refused: [
      'host_is_install',
      'host_is_local',
      'host_taken',
      'not_a_picture',
      'picture_too_large',
      'storage_full',
      'too_many_hosts',
    ],
    body: { accent: brand.accent, frameHosts: brand.frameHosts, host: host.name },
    reply: brand,
  },
}
