import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import { createGroup, type GroupReward, NewGroup, rewardForms, UnitsReward } from '#contract/groups.ts'
import { groupKinds } from '#contract/partners.ts'
import { listConnections } from '#contract/payment-providers.ts'
import { apiQuery } from '../../calls.ts'
import { useAccountTerms } from '../../shared/terms.ts'
import { useOwnAccount } from '../../shell/current.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { CheckboxField, FieldPair, MoneyField, RadioField, SelectField, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { basicWords } from '../../words/basic.ts'
import { groupWords } from '../../words/groups.ts'
import { rewardWords } from '../../words/rewards.ts'
import { NameFields } from './NameFields.tsx'
import { RewardSentence } from './RewardSentence.tsx'

type Values = {
  name: string
  publicName: string
  translations: Record<string, { publicName: string | null } | undefined>
  kind: (typeof groupKinds)[number]
  as: (typeof rewardForms)[number]
  connectionId: string | null
  unitName: string
  unitValue: number | string
  automatic: boolean | null
}

const blank: Values = {
  name: '',
  publicName: '',
  translations: {},
  kind: 'partners',
  as: 'units',
  connectionId: null,
  unitName: '',
  unitValue: '',
  automatic: null,
}

const { unitName, unitValue } = UnitsReward.shape

/** Adds a group without terms of its own, and opens its page, where they are set. */
export const AddGroup = defineFormAction(
  createGroup,
  NewGroup.pick({ name: true, publicName: true, translations: true, kind: true }).extend({
    unitName: unitName.optional(),
    unitValue: unitValue.optional(),
  }),
  ({ id: accountId }: { id: string }) => {
    const router = useRouter()
    const account = useOwnAccount()
    return {
      heading: groupWords.add,
      initial: blank,
      omit: ['as', 'connectionId', 'automatic'],
      check: mistakesIn,
      send: ({ unitName: _, unitValue: __, ...body }, values) => ({
        params: { id: accountId },
        body: {
          ...body,
          ...(values.kind === 'customers' && { reward: rewardOf(values), automatic: isAutomatic(values) }),
        },
      }),
      done({ id }) {
        void router.navigate({ to: '/partners/groups/$groupId', params: { groupId: id } })
        return groupWords.created
      },
      fields: (form) => (
        <>
          <RadioField
            {...form.field('kind', rewardWords.kind)}
            choices={groupKinds.map((value) => ({ value, label: rewardWords.kinds[value] }))}
          />
          {form.values.kind === 'customers' && <Sentence values={form.values} account={account} />}
          <NameFields form={form} kind={form.values.kind} account={account} />
          {form.values.kind === 'customers' && <RewardFields form={form} account={account} />}
        </>
      ),
    }
  },
)

/** The schema leaves out rewards, as other groups have none. */
function mistakesIn({ kind, as, connectionId, unitName, unitValue }: Values) {
  const required = (isMissing: boolean, label: string) => (isMissing ? basicWords.rules.required({ label }) : undefined)
  const isAs = (form: Values['as']) => kind === 'customers' && as === form
  return {
    connectionId: required(isAs('credit') && !connectionId, rewardWords.connection),
    unitName: required(isAs('units') && unitName === '', rewardWords.unitName),
    unitValue: required(isAs('units') && unitValue === '', rewardWords.unitValue),
  }
}

function rewardOf({ as, connectionId, unitName, unitValue }: Values) {
  if (as === 'units') return { as, unitName, unitValue: Number(unitValue) }
  return as === 'credit' ? { as, connectionId: connectionId ?? '' } : { as }
}

/** Money waits for a person unless that is chosen. */
const isAutomatic = ({ automatic, as }: Values) => automatic ?? as !== 'money'

const NOTHING = { rules: [], otherwise: { layerAmounts: [0] }, maxPerCustomer: null, maxPerMonth: null }

/** A sentence of what the new group gives: it has the account's terms, or none if it gives units. */
function Sentence({ values, account }: { values: Values; account: Account }) {
  const inherited = useAccountTerms(account)
  return (
    <div>
      <RewardSentence
        groupId={null}
        reward={rewardOf(values) as GroupReward}
        terms={values.as === 'units' ? NOTHING : inherited}
      />
      <p className="muted">{rewardWords.termsNext}</p>
    </div>
  )
}

type Props = { form: FormWith<Values>; account: Pick<Account, 'id' | 'defaultCurrency'> }

/** How the customers of a group are given what they earn. */
function RewardFields({ form: { field, values }, account }: Props) {
  const { data } = useQuery(apiQuery(listConnections, { params: { id: account.id }, query: { limit: 100 } }))
  const connections = data?.items.filter(({ provider }) => provider === 'stripe') ?? []
  return (
    <>
      <h3>{rewardWords.reward}</h3>
      <SelectField
        {...field('as', rewardWords.as)}
        choices={rewardForms.map((value) => ({ value, label: rewardWords.forms[value] }))}
        help={rewardWords.formsHelp[values.as]}
      />
      {values.as === 'credit' && (
        <SelectField
          {...field('connectionId', rewardWords.connection)}
          choices={connections.map(({ id, accountName }) => ({ value: id, label: accountName ?? rewardWords.unnamed }))}
          placeholder={rewardWords.chooseConnection}
          help={data && connections.length === 0 ? rewardWords.noConnection : undefined}
        />
      )}
      {values.as === 'units' && (
        <FieldPair>
          <TextField {...field('unitName', rewardWords.unitName)} autoComplete="off" help={rewardWords.unitNameHelp} />
          <MoneyField
            {...field('unitValue', rewardWords.unitValue)}
            currency={account.defaultCurrency}
            help={rewardWords.unitValueHelp}
          />
        </FieldPair>
      )}
      <CheckboxField
        {...field('automatic', rewardWords.automatic)}
        value={isAutomatic(values)}
        help={rewardWords.automaticHelp}
      />
    </>
  )
}
