import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { minorDigits } from '#contract/money.ts'
import { type CommissionPreview, PreviewedSale, previewCommission } from '#contract/sales.ts'
import { Terms } from '#contract/terms.ts'
import { apiQuery } from '../calls.ts'
import { formatMoney } from '../format.ts'
import { useContractForm } from '../ui/contract-form.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'
import { FieldPair, MoneyField, NumberField, SelectField } from '../ui/fields.tsx'
import { Message } from '../ui/Message.tsx'
import { OutsideForm } from '../ui/OutsideForm.tsx'
import { useDebounced } from '../ui/Picker.tsx'
import { fieldWords, labelWords } from '../words/fields.ts'
import { saleWords } from '../words/leads.ts'
import { termsWords } from '../words/terms.ts'
import { listCountries } from './countries.ts'
import { PaidParts } from './PaidParts.tsx'
import { PartnerField } from './PartnerPicker.tsx'
import { ProductField, toSaleLine, useProducts } from './ProductsField.tsx'
import { productsIn, type TermsAccount, type TermsValue } from './terms.ts'

type Props = {
  account: TermsAccount
  terms: TermsValue
  /** The partner who has the terms, or the first one, if another may be chosen. */
  referrer: string
  chooses: boolean
}

/** Tries a sale with terms that are not saved. */
export const TrySaleDialog = ({ onClose, ...tried }: Props & { onClose: () => void }) => (
  <OutsideForm>
    <Dialog wide heading={termsWords.trySale} onClose={onClose}>
      <Tried {...tried} />
    </Dialog>
  </OutsideForm>
)

function Tried({ account, terms, referrer, chooses }: Props) {
  const { id: accountId, defaultCurrency: currency } = account
  const known = useProducts(accountId)
  const form = useContractForm(PreviewedSale, {
    initial: {
      partnerId: referrer as string | null,
      amount: (100 * 10 ** minorDigits(currency)) as number | string,
      product: '',
      payment: 1 as number | string,
      country: null as string | null,
    },
    omit: ['product'],
  })
  const { field, values } = form
  const { product, country, ...rest } = values
  const line = product.trim()
  const body = {
    ...rest,
    partnerId: rest.partnerId ?? referrer,
    ...(country && { country }),
    ...(line && typeof rest.amount === 'number' && { lines: [toSaleLine(line, rest.amount, known)] }),
    terms,
  }
  return (
    <div className="stack">
      {chooses && <PartnerField {...field('partnerId', fieldWords.partner)} accountId={accountId} />}
      <FieldPair>
        <MoneyField {...field('amount', labelWords.amount)} currency={currency} />
        <ProductField
          {...field('product', termsWords.condition.products)}
          accountId={accountId}
          products={productsIn([terms])}
        />
      </FieldPair>
      <FieldPair>
        <NumberField {...field('payment', termsWords.payment)} help={termsWords.paymentHelp} />
        <SelectField
          {...field('country', labelWords.country)}
          choices={listCountries()}
          placeholder={termsWords.noCountry}
          optional
        />
      </FieldPair>
      <Outcome accountId={accountId} body={body} />
    </div>
  )
}

/** The earnings of the sale shortly after the last keystroke, once it and the terms are complete. */
function Outcome({ accountId, body }: { accountId: string; body: object }) {
  const settled = PreviewedSale.safeParse(JSON.parse(useDebounced(JSON.stringify(body), 250)))
  const hasTerms = Terms.safeParse((body as { terms: unknown }).terms).success
  const { data, error, isPlaceholderData } = useQuery({
    ...apiQuery(previewCommission, { params: { id: accountId }, body: settled.data as PreviewedSale }),
    enabled: settled.success,
    placeholderData: keepPreviousData,
  })
  if (!hasTerms) return <Message kind="warning">{termsWords.termsIncomplete}</Message>
  if (!settled.success) return <p className="muted">{saleWords.split.hint}</p>
  return (
    <div role="status" data-dimmed={isPlaceholderData || undefined} className="stack">
      {error && !data && <Message kind="error">{error.message}</Message>}
      {data && <Earned preview={data} />}
    </div>
  )
}

function Earned({ preview: { entries, total, currency, terms } }: { preview: CommissionPreview }) {
  const earned = entries.map(
    ({ partnerId, displayName, layer, amount }): Fact => ({
      id: `${layer} ${partnerId}`,
      label: termsWords.earner({ name: displayName, layer: layer + 1 }),
      value: formatMoney(amount, currency),
    }),
  )
  const sum = { label: fieldWords.total, value: formatMoney(total, currency), sum: true }
  return (
    <>
      {earned.length === 0 ? (
        <Message kind="info">{saleWords.split.nobody}</Message>
      ) : (
        <Facts beside label={termsWords.earns} facts={earned.length > 1 ? [...earned, sum] : earned} />
      )}
      {terms && <PaidParts parts={terms.parts} currency={currency} />}
    </>
  )
}
