import { ids } from '#contract/examples/objects.ts'
import { MOST_APPROVED_FOR_YEAR, MOST_RETURNS } from '#contract/tax-rules.ts'
import { aPartner } from '#test/support/app.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { Limit, WorldOfCalls } from '#test/support/sweep.ts'
import { aW9 } from '#test/support/tax-forms.ts'

export const bodies = {
  signTaxForm: () => aW9(),
  changeTaxYear: () => ({ threshold: 600_00 }),
  approveForTaxYear: ({ partner }: WorldOfCalls) => ({ partnerIds: [partner.id], approved: false }),
}

export const preparations = {
  async signTaxForm({ app, account }: Story) {
    const { id, token } = await aPartner(app, account, { firstName: 'Jane', lastName: 'Whitfield' }, { signIn: true })
    return { token, instead: { [ids.partner]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = {
  approveForTaxYear: 'pay',
  changeTaxYear: 'pay',
  downloadNecFile: 'pay',
  getTaxForm: 'pay',
}
export const whileInactive = ['signTaxForm']
export const restrictedObjects = ['TaxFormState']

export const limits: Limit[] = [
  { table: 'atOnce', row: ['partners approved for a year in one call', MOST_APPROVED_FOR_YEAR.toLocaleString('en')] },
  { table: 'atOnce', row: ['partners of a 1099-NEC file', `${MOST_RETURNS}`] },
]
export const limitNames = { 'nec-file': 'the file 1099-NEC' }
