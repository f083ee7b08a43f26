import type * as room from '../partners.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage, partner, subPartner } from './things.ts'

export const partners: ExamplesOf<typeof room> = {
  createPartner: {
    body: {
      firstName: 'Jane',
      lastName: 'Whitfield',
      email: partner.email,
      referralCode: partner.referralCode,
      commissionSettings: null,
      sendInvitation: true,
    },
    reply: {
      ...partner,
      note: null,
      approvedPayoutYears: [],
      approvedForPayouts: false,
      state: 'invited',
      invitationStatus: 'sent',
      balanceDue: 0,
      taxForm: null,
      stats: subPartner.stats,
    },
  },
  createSubPartner: { body: { firstName: 'Sam', lastName: 'Ortiz', email: subPartner.email }, reply: subPartner },
  listPartners: { query: { state: 'active,invited', sort: '-salesRevenue' }, reply: onlyPage(partner, subPartner) },
  listSubPartners: { reply: onlyPage(subPartner) },
  getPartner: { reply: partner },
  changePartner: {
    body: {
      firstName: 'Jane',
      lastName: 'Whitfield',
      note: partner.note,
      approvedPayoutYears: [2026],
      taxForm: { kind: 'w-9', receivedOn: '2026-07-20' },
    },
    reply: partner,
  },
  deletePartner: { params: { id: ids.subPartner } },
  archivePartner: {
    body: { subPartners: 'move-up', balance: 'pay-out', reason: 'Has left the program' },
    reply: { ...partner, state: 'archived' },
  },
}
