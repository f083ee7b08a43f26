import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Account } from '#contract/accounts.ts'
import type { Lead } from '#contract/leads.ts'
import { createSale, NewSale as NewSaleBody, type Sale } from '#contract/sales.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { formatDate, formatMoney, todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { ToLead } from '../../shared/links.tsx'
import { ProductField, toSaleLine, useProducts } from '../../shared/ProductsField.tsx'
import { leadQuery, saleQuery } from '../../shared/queries.ts'
import { productsIn, termsStateQuery } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { CheckboxField, DateField, FieldPair, MoneyField, SelectField, TextField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { parseMoney, typedMoney } from '../../ui/numbers.ts'
import { Page } from '../../ui/Page.tsx'
import { useDebounced } from '../../ui/Picker.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { fieldHelpWords, ruleWords } from '../../words/forms.ts'
import { leadWords, saleWords } from '../../words/leads.ts'
import { pageWords, toastWords } from '../../words/shell.ts'
import { termsWords } from '../../words/terms.ts'
import { salesOfDayQuery } from './queries.ts'
import { SaleSplit } from './SaleSplit.tsx'
import { addedBy } from './words.ts'

const toLeads = <Link to="/leads">{pageWords.leads}</Link>

/** The form for a sale entered by hand, with a preview of the commission it earns. */
export const NewSale = ({ leadId }: { leadId: string }) => (
  <ThingPage query={leadQuery(leadId)} shape="form" heading={pageWords.addSale} parent={toLeads} gone={leadWords.gone}>
    {(lead) => <OfLead lead={lead} />}
  </ThingPage>
)

function OfLead({ lead }: { lead: Lead }) {
  const account = useOwnAccount()
  const toLead = <ToLead id={lead.id}>{lead.displayName}</ToLead>
  return (
    <Page heading={pageWords.addSale} parent={[toLeads, toLead]}>
      <SaleForm account={account} lead={lead} />
    </Page>
  )
}

/** Returns the last day allowed: a later one is in the future both in the account's time zone and in UTC. */
function lastDay(timeZone: string) {
  const [here, there] = [todayIn(timeZone), todayIn('UTC')]
  return here > there ? here : there
}

function SaleForm({ account, lead }: { account: Account; lead: Lead }) {
  const leave = useLeaveForm()
  const today = todayIn(account.timeZone)
  const last = lastDay(account.timeZone)
  const form = useContractForm(NewSaleBody, {
    initial: {
      amount: '' as number | string,
      currency: account.defaultCurrency,
      saleDate: today,
      description: '',
      externalId: '',
      product: '',
      different: false,
    },
    omit: ['product', 'different'],
    check: ({ saleDate, different }) => ({
      saleDate: saleDate > last ? ruleWords.notFuture : undefined,
      different: alike && !different ? saleWords.new.confirmDifferent : undefined,
    }),
  })
  const { amount, currency, saleDate, product } = form.values
  const products = useProductsOfTerms(lead)
  const known = useProducts(account.id, products.length > 0)
  const lines = product && typeof amount === 'number' ? [toSaleLine(product.trim(), amount, known)] : undefined
  const alike = useSaleLike(account.id, lead.id, form.values)
  const { set } = form
  const alikeId = alike?.id
  // The confirmation applies to one similar sale only, so another one resets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another sale asks anew
  useEffect(() => {
    if (alikeId) set({ different: false })
  }, [alikeId])

  const toLead = { to: '/leads/$leadId', params: { leadId: lead.id } } as const
  const save = useCall(createSale, {
    onSuccess: () => {
      showToast(toastWords.added({ resource: fieldWords.sale }))
      return leave(toLead)
    },
  })

  /** Keeps the text as entered: 12.50 in another currency is still 12.50. */
  function changeCurrency(chosen: string | null) {
    const next = chosen ?? account.defaultCurrency
    const typed = typeof amount === 'number' ? typedMoney(amount, currency) : amount
    form.field('currency').onChange(next)
    // 1.250 dinars are 1.25 in another currency, where '1.250' is no amount
    const bare = typeof amount === 'number' ? typed.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : typed
    set({ amount: typed === '' ? '' : (parseMoney(bare, next) ?? typed) })
  }

  const { field } = form
  return (
    <TwoColumns
      form
      aside={
        <SaleSplit
          account={account}
          lead={{ ...lead, leadId: lead.id }}
          sale={{ amount, currency, saleDate, lines }}
          last={last}
        />
      }
    >
      <Form
        form={form}
        save={save}
        label={pageWords.addSale}
        onSubmit={(body) => save.mutate({ params: { id: lead.id }, body: { ...body, lines } })}
      >
        <FormPanel>
          <FieldPair>
            <MoneyField {...field('amount', labelWords.amount)} currency={currency} help={saleWords.new.amountHelp} />
            <SelectField
              {...field('currency', labelWords.currency)}
              choices={choicesFrom(account.defaultCurrency)}
              onChange={changeCurrency}
            />
          </FieldPair>
          <DateField {...field('saleDate', labelWords.saleDate)} max={last} />
          {products.length > 0 && (
            <ProductField
              {...field('product', termsWords.condition.products)}
              accountId={account.id}
              products={products}
            />
          )}
          <TextField {...field('description', fieldWords.description)} autoComplete="off" optional />
          <TextField
            {...field('externalId', labelWords.externalId)}
            autoComplete="off"
            help={fieldHelpWords.externalId}
            optional
          />
          <Taken error={save.error} />
          {alike && (
            <Message kind="warning">
              <div className="stack gap-2">
                <strong>{saleWords.new.looksKnown}</strong>
                <p>
                  {saleWords.new.known({
                    amount: shown(alike),
                    date: formatDate(alike.saleDate),
                    how: addedBy(alike.provider),
                  })}{' '}
                  <ToSale sale={alike} />
                </p>
                <CheckboxField {...field('different', saleWords.new.different)} />
              </div>
            </Message>
          )}
          <FormActions submit={pageWords.addSale} cancel={toLead} />
        </FormPanel>
      </Form>
    </TwoColumns>
  )
}

/** Returns the products named by the terms that the lead's sales may have. */
function useProductsOfTerms({ partnerId, blueprintId }: Lead) {
  const ofPartner = useQuery({
    ...termsStateQuery({ of: 'partner', id: partnerId ?? '' }),
    enabled: partnerId !== null,
  })
  const ofLink = useQuery({ ...termsStateQuery({ of: 'link', id: blueprintId ?? '' }), enabled: blueprintId !== null })
  return productsIn([ofPartner, ofLink].flatMap(({ data }) => data?.inForce.terms ?? []))
}

const shown = ({ amount, currency, accountCurrency }: Sale) => formatMoney(amount ?? 0, currency, accountCurrency)

/** Lists the account's own currency first. */
function choicesFrom(own: string) {
  const all = currencyChoices()
  return [...all.filter(({ value }) => value === own), ...all.filter(({ value }) => value !== own)]
}

/** Returns a sale of this lead with the same amount and day, once typing has paused. */
function useSaleLike(
  accountId: string,
  leadId: string,
  entered: { amount: number | string; currency: string; saleDate: string },
) {
  const day = useDebounced(entered.saleDate, 300)
  const { data } = useQuery({ ...salesOfDayQuery(accountId, leadId, day), enabled: /^\d{4}-\d\d-\d\d$/.test(day) })
  return data?.items.find(
    ({ amount, currency, saleDate, status }) =>
      status !== 'void' && amount === entered.amount && currency === entered.currency && saleDate === entered.saleDate,
  )
}

/** Names the sale that already has the external id. */
function Taken({ error }: { error: CallError | null }) {
  const id = error?.code === 'duplicate' ? String(error.details.saleId ?? '') : ''
  const { data } = useQuery({ ...saleQuery(id), enabled: id !== '' })
  if (!id || !data) return null
  return (
    <Message kind="warning">
      {saleWords.new.taken({ amount: shown(data), date: formatDate(data.saleDate) })} <ToSale sale={data} />
    </Message>
  )
}

function ToSale({ sale: { id, leadId } }: { sale: Sale }) {
  if (!leadId) return null
  return (
    <Link to="/leads/$leadId" params={{ leadId }} hash={`sale-${id}`}>
      {saleWords.new.viewKnown}
    </Link>
  )
}
