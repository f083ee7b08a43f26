import { type ReactNode, useState } from 'react'
import { type Pay, Terms } from '#contract/terms.ts'
import { payInWords, ruleInWords } from '#contract/terms-in-words.ts'
import { termsSentence } from '#contract/terms-sentence.ts'
import { actionsColumn } from '../ui/actions-column.tsx'
import { Button } from '../ui/Button.tsx'
import type { FormWith } from '../ui/contract-form.tsx'
import { Fold } from '../ui/Fold.tsx'
import { FieldPair, MoneyField, useNotes } from '../ui/fields.tsx'
import { PlusIcon } from '../ui/icons.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { type Column, PlainTable } from '../ui/PlainTable.tsx'
import { basicWords } from '../words/basic.ts'
import { commissionWords } from '../words/commissions.ts'
import { rewardWords } from '../words/rewards.ts'
import { termsWords } from '../words/terms.ts'
import { PayFields } from './PayFields.tsx'
import { TrySale } from './TrySale.tsx'
import { getPayKind, paysUnits, sentenceWordingFor, type TermsAccount, type TermsValue, wordingIn } from './terms.ts'

const RuleDialog = lazyComponent(async () => (await import('./RuleDialog.tsx')).RuleDialog)

type Props = {
  form: FormWith<{ terms: TermsValue | null }>
  account: TermsAccount
  /** The partner whose terms these are. */
  partnerId?: string | undefined
  /** Only rates can be saved. */
  ratesOnly?: boolean
  /** How long a subscription earns; by default the account's limit. */
  recurringMonths?: number | null
  /** Below the base rate: fields of the account alone. */
  base?: ReactNode
}

const MOST_RULES = 20

/** The terms in one sentence, then the fields of the base rate, of exceptions from it, and of limits. */
export function TermsEditor({ form, account, partnerId, ratesOnly = false, recurringMonths, base }: Props) {
  const { field } = form
  const terms = form.values.terms as TermsValue
  const { otherwise } = terms
  const rest = field('terms.otherwise', termsWords.otherwise)
  const kind = getPayKind(otherwise)
  const typed = Terms.safeParse(terms).data
  const wording = sentenceWordingFor({ ...account, ...(recurringMonths !== undefined && { recurringMonths }) })
  return (
    <>
      {!ratesOnly && (
        <div className="row between">
          {/* what customers get is in a sentence of its own, above the form */}
          <p className="rest wrap strong">{typed && !account.reward && termsSentence(typed, wording)}</p>
          <TrySale account={account} terms={terms} partnerId={partnerId} />
        </div>
      )}
      <PayFields
        kind={kind}
        list={field(`terms.otherwise.${kind}`, commissionWords.allLayers)}
        layerAt={(at, label) => field(`terms.otherwise.${kind}.${at}`, label)}
        onPay={ratesOnly || (paysUnits(account) && kind === 'layerAmounts') ? undefined : rest.onChange}
        currency={account.defaultCurrency}
        oneLayer={Boolean(account.reward)}
        note={commissionWords.newSalesOnly}
      />
      {base}
      {!ratesOnly && <Exceptions form={form} account={account} />}
      {!ratesOnly && <Limits form={form} account={account} />}
    </>
  )
}

type Row = { key: string; order: string; what: string; pays: string; at: number }

/** The rules in their order, each of which opens a dialog, and last the base rate of all other sales. */
function Exceptions({ form: { field, values }, account }: Props) {
  const { rules, otherwise } = values.terms as TermsValue
  const list = field('terms.rules', termsWords.rules)
  const rest = field('terms.otherwise', termsWords.otherwise)
  const [edited, setEdited] = useState<number>()
  const [adding, setAdding] = useState(false)
  const { notes } = useNotes(list.id, undefined, list.error ?? rest.error)
  const rule = edited === undefined ? undefined : rules[edited]
  const wording = wordingIn(account.defaultCurrency)
  const rows: Row[] = [
    ...rules.map((rule, at) => ({
      key: String(at),
      order: String(at + 1),
      at,
      what: ruleInWords(rule, wording),
      pays: payInWords(rule, wording),
    })),
    {
      key: 'otherwise',
      order: basicWords.absent,
      at: rules.length,
      what: termsWords.otherwise,
      pays: payInWords(otherwise as Pay, wording),
    },
  ]
  function move(at: number, by: number) {
    const moved = [...rules]
    moved.splice(at + by, 0, ...moved.splice(at, 1))
    list.onChange(moved)
  }
  function actionsOf({ at }: Row) {
    if (at === rules.length) return []
    return [
      { label: termsWords.edit, run: () => setEdited(at) },
      { label: termsWords.moveUp, disabled: at === 0, run: () => move(at, -1) },
      { label: termsWords.moveDown, disabled: at === rules.length - 1, run: () => move(at, 1) },
      { label: termsWords.remove, danger: true, run: () => list.onChange(rules.filter((_, other) => other !== at)) },
    ]
  }
  const columns: Column<Row>[] = [
    { head: termsWords.columns.order, cell: ({ order }) => order, wideOnly: true },
    { head: termsWords.columns.rule, cell: ({ what }) => <span className="wrap plain">{what}</span> },
    { head: termsWords.columns.pays, numeric: true, under: true, cell: ({ pays }) => <strong>{pays}</strong> },
    actionsColumn(
      ({ at, order }) => (at < rules.length ? termsWords.rule({ number: order }) : termsWords.otherwise),
      actionsOf,
    ),
  ]

  return (
    <div id={list.id} tabIndex={-1} className="stack">
      <div>
        <h3>{termsWords.rules}</h3>
        <p className="muted small">{rules.length > 0 ? termsWords.rulesHelp : termsWords.noRules}</p>
      </div>
      {rules.length > 0 && (
        <div className="outset">
          <PlainTable label={termsWords.rules} columns={columns} rows={rows} keyOf={({ key }) => key} />
        </div>
      )}
      {notes}
      {rules.length < MOST_RULES && (
        <div>
          <Button small icon={<PlusIcon size={16} />} onClick={() => setAdding(true)}>
            {termsWords.addRule}
          </Button>
        </div>
      )}
      <RuleDialog.OnUse />
      {adding && (
        <RuleDialog
          heading={termsWords.addRule}
          account={account}
          onSave={(added) => list.onChange([...rules, added])}
          onClose={() => setAdding(false)}
        />
      )}
      {rule && edited !== undefined && (
        <RuleDialog
          heading={termsWords.editRule}
          rule={rule}
          account={account}
          onSave={(saved) => list.onChange(rules.with(edited, saved))}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  )
}

/** The most that a customer's sales, a month or a year pay a partner, folded until one is set. */
function Limits({ form, account: { defaultCurrency: currency, reward } }: Props) {
  const { maxPerCustomer, maxPerMonth, maxPerYear = null } = form.values.terms as TermsValue
  const perCustomer = form.field('terms.maxPerCustomer', reward ? rewardWords.maxPerFriend : termsWords.maxPerCustomer)
  const perMonth = form.field('terms.maxPerMonth', termsWords.maxPerMonth)
  const perYear = form.field('terms.maxPerYear', termsWords.maxPerYear)
  const [isSet] = useState(maxPerCustomer !== null || maxPerMonth !== null || maxPerYear !== null)
  return (
    <Fold label={termsWords.caps} open={isSet || Boolean(perCustomer.error ?? perMonth.error ?? perYear.error)}>
      <FieldPair>
        <MoneyField {...perCustomer} currency={currency} optional />
        <MoneyField {...perMonth} currency={currency} optional />
        <MoneyField {...perYear} currency={currency} optional />
      </FieldPair>
    </Fold>
  )
}
