import { ids } from '#contract/examples/objects.ts'
import { anEmail } from '#test/support/app.ts'
import { type FormRow, requireFields, textField } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { WorldOfCalls } from '#test/support/sweep.ts'

export const bodies = {
  addPromotionCode: () => ({ code: anEmail() }),
  assignPromotionCode: ({ partner }: WorldOfCalls) => ({ partnerId: partner.id, code: anEmail() }),
}

export const preparations = {
  async deletePromotionCode({ post, instead }: Story) {
    const { id } = await post(`/partners/${instead[ids.partner]}/promotion-codes`, { code: 'SUMMER' })
    return { instead: { [ids.promotionCode]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = {
  addPromotionCode: 'earn',
  assignPromotionCode: 'earn',
  deletePromotionCode: 'earn',
  retryPromotionCode: 'earn',
}
export const inPortal = ['getCodeOffer', 'listPromotionCodes', 'requestPromotionCode']
// its journey reads the file of all; a partner's has no button
export const notCompared = ['downloadAllPromotionCodes', 'downloadPromotionCodes']

export const screens: SweptScreen[] = [
  {
    role: 'owner',
    path: '/promotion-codes',
    h1: 'Partners',
    title: 'Promotion codes · Partners',
    isTab: true,
    buttons: ['Add code', 'Download CSV'],
    labels: ['Search promotion codes', 'Partner', 'Source', 'Status'],
    rows: { JANE20: ['Remove'] },
    dialogs: { 'Add code': ['Partner', 'Code'] },
  },
]
export const emptyScreens: [path: string, h1: string][] = [['/promotion-codes', 'Partners']]

export const forms: FormRow[] = [
  {
    name: 'code of a partner',
    who: 'owner',
    path: '/promotion-codes',
    h1: 'Partners',
    open: 'Add code',
    submit: 'Add code',
    fields: { Partner: { typed: 'Jane Whitfield', how: 'pick' }, Code: textField('code', 100) },
    nothing: requireFields('Partner', 'Code'),
    said: 'Promotion code added',
  },
]
