import type * as room from '../agreement.ts'
import type { Acceptance } from '../partners.ts'
import type { ExamplesOf } from './example.ts'
import { ids } from './objects.ts'

const textHash = '5a3f0de1c94b7c28b6d1e0f47a92c38d6e5b01f4a7c8932de06f1b5c4a9d7e83'

export const acceptance: Acceptance = {
  partnerId: ids.partner,
  version: 2,
  language: 'en',
  textHash,
  at: '2026-07-24T09:12:40.118Z',
  through: 'sign-in',
  userId: ids.partnersOwner,
  name: 'Jane Whitfield',
  email: 'jane@whitfield.example',
  network: '203.0.113.0/24',
}

const { name: _, email: __, network: ___, ...told } = acceptance
/** As events contain it. */
export const acceptanceTold = told

const version: room.AgreementVersion = {
  version: 2,
  language: 'en',
  languages: ['en', 'de'],
  textHash,
  changes: 'Coupons of your own are no longer allowed.',
  requiredFrom: '2026-08-10',
  publishedAt: '2026-07-23T08:00:00.000Z',
  publishedBy: 'Elena Marsh',
  accepted: 41,
  waiting: 6,
  acceptance: null,
}

const agreement: room.Agreement = {
  ...version,
  text: '# What you may do\n\nRecommend Acme by your link.\n\n# What you may not do\n\n- Bid on our name\n- Offer coupons of your own',
}

const german = {
  text: '# Was Sie dürfen\n\nEmpfehlen Sie Acme mit Ihrem Link.',
  changes: 'Eigene Gutscheine sind nicht mehr erlaubt.',
}

export const agreementExamples: ExamplesOf<typeof room> = {
  getAgreement: { refused: ['unknown_partner'], reply: agreement },
  publishAgreement: {
    refused: ['agreement_unchanged', 'changes_required', 'language_of_texts', 'required_too_soon'],
    body: { text: agreement.text, changes: agreement.changes, translations: { de: german } },
    reply: { ...agreement, accepted: 0, waiting: 47 },
  },
  listAgreementVersions: { refused: ['unknown_partner'], reply: { items: [version] } },
  getAgreementVersion: { refused: ['unknown_partner'], params: { version: '2' }, reply: agreement },
  changeAgreementVersion: {
    refused: ['required_too_soon'],
    params: { version: '2' },
    body: { requiredFrom: null },
    reply: { ...agreement, requiredFrom: null },
  },
  publishAgreementTranslation: {
    refused: ['language_of_texts', 'translation_published'],
    params: { version: '2' },
    body: { language: 'de', ...german },
    reply: { ...agreement, language: 'de', ...german },
  },
  listAcceptances: { reply: { items: [acceptance] } },
  acceptAgreement: {
    refused: ['agreement_changed', 'language_unknown'],
    body: { version: 2, language: 'en' },
    reply: acceptance,
  },
}
