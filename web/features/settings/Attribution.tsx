import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Account, AccountChange, OldLinkParameter } from '#contract/accounts.ts'
import { addDays } from '#contract/days.ts'
import { type OldProgram, oldPrograms } from '#contract/old-links.ts'
import { attributionModels, attributionOrders, returningCustomersRules } from '#contract/values.ts'
import { formatDate, todayIn } from '../../format.ts'
import { FormPanel, type FormWith, useContractForm } from '../../ui/contract-form.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { AccountForm, Effect } from './form.tsx'

type Model = Account['attributionModel']
type Order = Account['attributionOrder']
type Returning = Account['returningCustomers']

const valuesOf = ({
  attributionModel,
  attributionOrder,
  leadProtectionDays,
  oldLinkParameters,
  ...account
}: Account) => ({
  oldLinkParameters,
  returningCustomers: account.returningCustomers as Returning | null,
  attributionModel: attributionModel as Model | null,
  attributionOrder: attributionOrder as Order | null,
  leadProtectionDays: leadProtectionDays as number | string,
})

/**
 * The attribution model, the order of clicks and codes, whose returning customers are, how long a lead stays protected for its partner, and links of
 * another program.
 */
export function Attribution({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { attributionModel, leadProtectionDays } = form.values
  const today = todayIn(account.timeZone)
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      aside={
        <Effect
          facts={[
            { label: settingsWords.credit, value: settingsWords.creditOf[attributionModel ?? 'last-touch'] },
            { label: settingsWords.leadToday, value: formatDate(today) },
            { label: fieldWords.protectedUntil, value: protectedUntil(today, leadProtectionDays) },
          ]}
          note={settingsWords.attributionEffect}
        />
      }
    >
      <FormPanel>
        <SelectField
          {...form.field('attributionModel')}
          choices={attributionModels.map((model) => ({ value: model, label: settingsWords.models[model] }))}
          help={settingsWords.modelHelp}
        />
        <SelectField
          {...form.field('attributionOrder')}
          choices={attributionOrders.map((order) => ({ value: order, label: settingsWords.orders[order] }))}
          help={settingsWords.orderHelp}
        />
        <SelectField
          {...form.field('returningCustomers')}
          choices={returningCustomersRules.map((rule) => ({ value: rule, label: settingsWords.returning[rule] }))}
          help={settingsWords.returningHelp}
        />
        <NumberField {...form.field('leadProtectionDays')} help={settingsWords.protectionHelp} />
      </FormPanel>
      <OldLinks form={form} />
    </AccountForm>
  )
}

function protectedUntil(today: string, days: number | string) {
  if (typeof days !== 'number' || days < 0 || days > 365) return basicWords.absent
  return days === 0 ? settingsWords.noEnd : formatDate(addDays(today, days))
}

type Values = { oldLinkParameters: string[] }
type Props = { form: FormWith<Values> & { set: (values: Values) => void } }

const programs = Object.entries(oldPrograms).map(([value, { name }]) => ({ value: value as OldProgram, label: name }))
const programOf = (given: string | undefined) => programs.find(({ value }) => value === given)?.value ?? null

/** The parameters of links from another program. Choosing the program, here or by `?program=`, adds the one it uses. */
function OldLinks({ form }: Props) {
  const { program: asked } = useSearch({ strict: false }) as { program?: string }
  const [program, choose] = useState(() => programOf(asked))
  const { oldLinkParameters } = form.values
  function add(program: OldProgram | null) {
    const parameter = program && oldPrograms[program].parameter
    if (parameter && !oldLinkParameters.includes(parameter))
      form.set({ oldLinkParameters: [...oldLinkParameters, parameter] })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the program of the address, once
  useEffect(() => add(program), [])
  return (
    <FormPanel heading={settingsWords.oldLinks} help={settingsWords.oldLinksHelp}>
      <SelectField
        id="old-program"
        name="program"
        label={settingsWords.comeFrom}
        onBlur={() => undefined}
        value={program}
        placeholder={settingsWords.chooseProgram}
        optional
        choices={programs}
        help={program && !oldPrograms[program].parameter && settingsWords.parameterUnknown}
        onChange={(chosen) => {
          choose(chosen)
          add(chosen)
        }}
      />
      <TagsField
        {...form.field('oldLinkParameters')}
        optional
        placeholder={settingsWords.addParameter}
        isWrong={(name) => !OldLinkParameter.safeParse(name).success}
        help={settingsWords.oldParametersHelp}
      />
    </FormPanel>
  )
}
