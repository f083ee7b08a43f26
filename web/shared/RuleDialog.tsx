import { simpleTerms } from '#contract/simple-terms.ts'
import { isOfLeads, mistakeInTerms, payableEvents, TermsRule } from '#contract/terms.ts'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { IconButton } from '../ui/Button.tsx'
import { type FieldProps, type FormWith, useContractForm } from '../ui/contract-form.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { MoneyField, NumberField, SelectField, TextField, useNotes } from '../ui/fields.tsx'
import { CloseIcon } from '../ui/icons.tsx'
import { OutsideForm } from '../ui/OutsideForm.tsx'
import { RowsField } from '../ui/RowsField.tsx'
import { TagsField } from '../ui/TagsField.tsx'
import { commissionWords } from '../words/commissions.ts'
import { termsWords } from '../words/terms.ts'
import { CountriesField } from './CountriesField.tsx'
import { PayFields } from './PayFields.tsx'
import { ProductsField } from './ProductsField.tsx'
import styles from './RuleDialog.module.css'
import { getPayKind, paysUnits, type TermsAccount, type TypedPay } from './terms.ts'

type Metadata = { key: string; values: string[] }

/** A form's conditions: one that is undefined does not belong to the rule. */
type TypedConditions = {
  products?: string[] | undefined
  promotionCode?: 'used' | 'not-used' | undefined
  firstPayments?: number | string | undefined
  firstMonths?: number | string | undefined
  amountFrom?: number | string | undefined
  amountTo?: number | string | undefined
  countries?: string[] | undefined
  metadata?: Metadata[] | undefined
}
type Condition = keyof TypedConditions
type RuleValues = TypedPay & { name: string | null; on: TermsRule['on']; when: TypedConditions }

const BLANK_METADATA: Metadata = { key: '', values: [] }
const MOST_METADATA = 3

/** The initial values of each condition, in the order of the menu. */
const blanks: Required<TypedConditions> = {
  products: [],
  promotionCode: 'used',
  firstPayments: '',
  firstMonths: '',
  amountFrom: '',
  amountTo: '',
  countries: [],
  metadata: [BLANK_METADATA],
}
const conditions = Object.keys(blanks) as Condition[]

/** Returns a rule that is not filled in. */
const blankRule = (account: TermsAccount): RuleValues => ({
  name: null,
  on: 'sale',
  when: {},
  ...(paysUnits(account) ? { layerAmounts: [''] } : { layerRates: [''] }),
})

/** Returns a rule for this event: a lead has no amount, so that only an amount can be paid for it. */
const payingAmounts = ({ layerRates, layerAmounts }: RuleValues, on: RuleValues['on']) =>
  on === 'sale' || layerAmounts ? { on } : { on, layerRates: undefined, layerAmounts: layerRates?.map(() => '') }

/** Nothing is sent: the form around the dialog saves. */
const save = { busy: false, error: null, saved: { current: false } }

type DialogProps<T> = {
  heading: string
  account: TermsAccount
  onSave: (value: T) => void
  onClose: () => void
}

/** The name, conditions and pay of a rule. */
export function RuleDialog({ rule, heading, account, onSave, onClose }: DialogProps<TermsRule> & { rule?: TermsRule }) {
  const form = useContractForm(TermsRule, {
    initial: (rule ?? blankRule(account)) as RuleValues,
    exact: true,
    check: mistakesInRule,
  })
  const { field, values } = form
  const name = field('name', termsWords.ruleName)
  const on = field('on', termsWords.payFor)
  return (
    <OutsideForm>
      <FormDialog
        wide
        heading={heading}
        form={form}
        save={save}
        onSubmit={(body) => {
          onSave(TermsRule.parse(body))
          onClose()
        }}
        onClose={onClose}
      >
        <TextField
          {...name}
          value={name.value ?? ''}
          onChange={(typed) => name.onChange(typed || null)}
          optional
          help={termsWords.ruleNameHelp}
        />
        <SelectField
          {...on}
          choices={payableEvents.map((value) => ({ value, label: termsWords.events[value] }))}
          onChange={(event) => event && form.set(payingAmounts(values, event))}
        />
        <Conditions form={form} account={account} />
        <OwnPay
          form={form}
          pay={values}
          onPay={values.on === 'sale' && !(paysUnits(account) && values.layerAmounts) ? form.set : undefined}
          account={account}
        />
      </FormDialog>
    </OutsideForm>
  )
}

type OwnPayProps = {
  form: FormWith<TypedPay>
  pay: TypedPay
  /** Changes between percent and amounts; absent if it pays amounts only. */
  onPay: ((pay: TypedPay) => void) | undefined
  account: TermsAccount
}

function OwnPay({ form: { field }, pay, onPay, account }: OwnPayProps) {
  const kind = getPayKind(pay)
  return (
    <PayFields
      kind={kind}
      list={field(kind, commissionWords.allLayers)}
      layerAt={(at, label) => field(`${kind}.${at}`, label)}
      onPay={onPay && ((next) => onPay({ layerRates: undefined, layerAmounts: undefined, ...next }))}
      currency={account.defaultCurrency}
      oneLayer={Boolean(account.reward)}
    />
  )
}

/** Returns the mistake of a rule that concerns several of its fields, whatever it pays. */
function mistakesInRule({ layerRates, layerAmounts, ...values }: RuleValues) {
  const { data: rule } = TermsRule.safeParse({ ...values, [getPayKind({ layerRates, layerAmounts })]: [0] })
  const mistake = rule && mistakeInTerms({ ...simpleTerms({ layerRates: [0] }), rules: [rule] })
  return mistake ? { [mistake.field.replace('rules.0.', '')]: termsWords.mistakes[mistake.reason] } : {}
}

type ConditionsProps = { form: FormWith<{ on: TermsRule['on']; when: TypedConditions }>; account: TermsAccount }

function Conditions({ form, account }: ConditionsProps) {
  const { field, values } = form
  const when = field('when', termsWords.conditions)
  const { notes, describedBy } = useNotes(when.id, termsWords.conditionsHelp, when.error)
  const used = conditions.filter((condition) => values.when[condition] !== undefined)
  function add(condition: Condition) {
    when.onChange({ ...values.when, [condition]: blanks[condition] })
    const { id } = field(`when.${condition}`, termsWords.condition[condition])
    requestAnimationFrame(() => document.getElementById(id)?.focus())
  }
  const remove = (condition: Condition) => when.onChange({ ...values.when, [condition]: undefined })
  return (
    <fieldset id={when.id} tabIndex={-1} aria-label={termsWords.conditions} aria-describedby={describedBy}>
      <div className="stack">
        {used.map((condition) =>
          condition === 'metadata' ? (
            <MetadataRows key={condition} form={form} onRemove={() => remove(condition)} />
          ) : (
            <div key={condition} className={styles.condition}>
              <ConditionField of={condition} form={form} account={account} />
              <IconButton
                label={termsWords.removeCondition({ condition: termsWords.condition[condition] })}
                icon={<CloseIcon size={16} />}
                onClick={() => remove(condition)}
              />
            </div>
          ),
        )}
        <div>
          <ActionMenu
            label={termsWords.addCondition}
            actions={conditions
              .filter((condition) => !used.includes(condition) && (values.on === 'sale' || isOfLeads(condition)))
              .map((condition) => ({ label: termsWords.condition[condition], run: () => add(condition) }))}
          >
            {termsWords.addCondition}
          </ActionMenu>
          {notes}
        </div>
      </div>
    </fieldset>
  )
}

/** A list that may be absent as one that is empty. */
const listed = (props: FieldProps<string[] | undefined>): FieldProps<string[]> => ({
  ...props,
  value: props.value ?? [],
})

type ConditionProps = ConditionsProps & { of: Exclude<Condition, 'metadata'> }

function ConditionField({ of, form: { field }, account }: ConditionProps) {
  const label = termsWords.condition[of]
  const help = termsWords.conditionHelp[of]
  switch (of) {
    case 'products':
      return <ProductsField accountId={account.id} {...listed(field('when.products', label))} help={help} />
    case 'countries':
      return <CountriesField {...listed(field('when.countries', label))} help={help} />
    case 'promotionCode':
      return (
        <SelectField
          {...(field('when.promotionCode', label) as FieldProps<'used' | 'not-used' | null>)}
          choices={(['used', 'not-used'] as const).map((value) => ({ value, label: termsWords.promotionCodes[value] }))}
        />
      )
    case 'firstPayments':
    case 'firstMonths':
      return <NumberField {...field(`when.${of}`, label)} help={help} />
    default:
      return <MoneyField {...field(`when.${of}`, label)} currency={account.defaultCurrency} help={help} />
  }
}

function MetadataRows({ form: { field }, onRemove }: { form: ConditionsProps['form']; onRemove: () => void }) {
  const { value = [], ...list } = field('when.metadata', termsWords.condition.metadata)
  return (
    <RowsField
      field={{ ...list, value, onChange: (rows) => (rows.length > 0 ? list.onChange(rows) : onRemove()) }}
      blank={BLANK_METADATA}
      most={MOST_METADATA}
      words={{
        row: (number) => termsWords.metadataAt({ number }),
        add: termsWords.addMetadata,
        remove: (number) => termsWords.removeCondition({ condition: termsWords.metadataAt({ number }) }),
      }}
    >
      {(at) => (
        <>
          <TextField {...field(`when.metadata.${at}.key`, termsWords.metadataKey)} />
          <TagsField
            {...listed(field(`when.metadata.${at}.values`, termsWords.metadataValues))}
            spaced
            placeholder={termsWords.addValue}
          />
        </>
      )}
    </RowsField>
  )
}
