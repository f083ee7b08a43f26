import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import {
  MOST_QUESTIONS,
  ProgramChange,
  type Program as ProgramOf,
  type ProgramState,
  programStates,
  questionKinds,
  reapplyDays,
  saveProgram,
} from '#contract/applications.ts'
import { useCall } from '../../calls.ts'
import { PageLinks } from '../../shared/PageLinks.tsx'
import { Prose } from '../../shared/Prose.tsx'
import { programQuery } from '../../shared/queries.ts'
import { PageAddress } from '../../ui/Address.tsx'
import { Form, FormActions, FormPanel, type FormWith, useContractForm } from '../../ui/contract-form.tsx'
import { CheckboxField, RadioField, SelectField, SwitchField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { RowsField } from '../../ui/RowsField.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { programWords as words } from '../../words/applications.ts'
import { basicWords } from '../../words/basic.ts'
import { OnlyRead } from './form.tsx'
import { slugFor } from './slugs.ts'

const Agreement = lazyComponent(async () => (await import('./Agreement.tsx')).Agreement)
const Brand = lazyComponent(async () => (await import('./Brand.tsx')).Brand)

type Props = { account: Account; program: ProgramOf }

/** The account's public page, its application form and its agreement, each saved separately. */
export function Program({ account }: { account: Account }) {
  const answer = useQuery(programQuery(account.id))
  if (!answer.data) {
    return (
      <Panel>
        <Pending answer={answer} rows={8} />
      </Panel>
    )
  }
  return (
    <>
      <Page account={account} program={answer.data} />
      <Applications account={account} program={answer.data} />
      <Agreement account={account} programUrl={answer.data.url} />
      <Brand accountId={account.id} />
    </>
  )
}

const pageValues = ({ state, slug, headline, text, rules, indexed }: ProgramOf, account: Account) => ({
  state: state as ProgramState,
  slug: slug ?? slugFor(account.name),
  headline: headline ?? '',
  text,
  rules,
  indexed,
})

function Page({ account, program }: Props) {
  const may = usePermission()
  const initial = pageValues(program, account)
  const form = useContractForm(ProgramChange, {
    initial,
    exact: true,
    optional: ['slug'],
    check: ({ slug, state }) => ({
      slug: slug === '' && (state !== 'off' || program.slug !== null) ? noAddress : undefined,
    }),
  })
  const save = useCall(saveProgram, {
    onSuccess(saved) {
      form.saved(pageValues(saved, account))
      showToast(words.saved)
    },
  })
  const { field, values } = form
  const address = new URL(values.slug, program.url ?? `${location.origin}/join/`).href
  return (
    <TwoColumns form aside={<Preview account={account} {...values} />}>
      <Form
        form={form}
        save={save}
        label={words.page}
        onSubmit={({ slug }, changes) =>
          // an address that is only suggested is not saved yet
          save.mutate({ params: { id: account.id }, body: program.slug === null ? { slug, ...changes } : changes })
        }
      >
        <OnlyRead unless={may(saveProgram)} changedBy="earn">
          <FormPanel heading={words.page} aside={program.url && <PageLinks url={program.url} />}>
            <RadioField
              {...field('state', words.status)}
              choices={programStates.map((value) => ({ value, label: words.states[value] }))}
              help={words.stateHelp[values.state]}
            />
            <TextField
              {...field('slug', words.slug)}
              autoCapitalize="none"
              spellCheck={false}
              help={values.slug && <PageAddress>{words.slugHelp({ address })}</PageAddress>}
            />
            <TextField
              {...field('headline', words.headline)}
              optional
              placeholder={words.usualHeadline({ account: account.name })}
            />
            <TextAreaField {...field('text', words.about)} rows={8} optional help={words.aboutHelp} />
            <TextAreaField {...field('rules', words.rules)} rows={4} optional help={words.rulesHelp} />
            <SwitchField {...field('indexed', words.indexed)} />
          </FormPanel>
        </OnlyRead>
        {may(saveProgram) && <FormActions submit={words.savePage} cancel={() => form.restart(initial)} />}
      </Form>
    </TwoColumns>
  )
}

const noAddress = basicWords.rules.required({ label: words.slug })

type PreviewProps = { account: Account; headline: string; text: string; rules: string }

/** The typed texts as the page shows them. */
function Preview({ account, headline, text, rules }: PreviewProps) {
  return (
    <Panel heading={words.preview}>
      <div className="stack inset">
        <p className="strong wrap">{headline.trim() || words.usualHeadline({ account: account.name })}</p>
        <Prose text={text} />
        {rules.trim() && <p className="strong">{words.notAllowed}</p>}
        <Prose text={rules} />
        <Message kind="info">{words.previewNote}</Message>
      </div>
    </Panel>
  )
}

type Questions = ProgramOf['questions']

const formValues = ({ questions, autoApprove, reapplyAfterDays }: ProgramOf) => ({
  questions,
  autoApprove,
  reapplyAfterDays,
})

/** Drops the empty lines of choices. */
const tidied = ({ choices, ...question }: Questions[number]) => ({
  ...question,
  choices: choices.map((choice) => choice.trim()).filter(Boolean),
})

function Applications({ account, program }: Props) {
  const may = usePermission()
  const initial = formValues(program)
  const form = useContractForm(ProgramChange, {
    initial,
    exact: true,
    complete: (values) => ({ ...values, questions: values.questions.map(tidied) }),
  })
  const save = useCall(saveProgram, {
    onSuccess(saved) {
      form.saved(formValues(saved))
      showToast(words.applicationsSaved)
    },
  })
  const { field } = form
  const days = field('reapplyAfterDays', words.reapply)
  return (
    <TwoColumns form aside={null}>
      <Form
        form={form}
        save={save}
        label={words.applications}
        onSubmit={(_, changes) => save.mutate({ params: { id: account.id }, body: changes })}
      >
        <OnlyRead unless={may(saveProgram)} changedBy="earn">
          <FormPanel heading={words.applications} help={words.questionsHelp}>
            <RowsField
              tall
              field={field('questions', words.question)}
              blank={blank}
              most={may(saveProgram) ? MOST_QUESTIONS : 0}
              words={{
                row: (number) => words.row({ number }),
                add: words.addQuestion,
                remove: (number) => words.removeQuestion({ number }),
              }}
            >
              {(at) => <QuestionFields form={form} at={at} />}
            </RowsField>
            <SwitchField {...field('autoApprove', words.autoApprove)} help={words.autoApproveHelp} />
            <SelectField
              {...days}
              value={`${days.value}`}
              onChange={(value) => days.onChange(value === 'null' ? null : Number(value))}
              choices={[...reapplyDays, null].map((days) => ({
                value: `${days}`,
                label: days === null ? words.never : days === 0 ? words.atOnce : words.reapplyDays({ days }),
              }))}
              help={words.reapplyHelp}
            />
          </FormPanel>
        </OnlyRead>
        {may(saveProgram) && <FormActions submit={words.saveApplications} cancel={() => form.restart(initial)} />}
      </Form>
    </TwoColumns>
  )
}

const blank: Questions[number] = { label: '', kind: 'text', required: false, choices: [] }

type QuestionProps = { form: FormWith<{ questions: Questions }>; at: number }

function QuestionFields({ form: { field }, at }: QuestionProps) {
  const all = field('questions', words.question)
  const choices = field(`questions.${at}.choices`, words.choices)
  const kind = field(`questions.${at}.kind`, words.answer)
  return (
    <div className="stack">
      <TextField {...field(`questions.${at}.label`, words.question)} />
      <RadioField
        {...kind}
        choices={questionKinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={(kind) =>
          all.onChange(all.value.map((one, place) => (place === at ? { ...one, kind, choices: [] } : one)))
        }
      />
      {kind.value === 'choice' && (
        <TextAreaField
          {...choices}
          value={choices.value.join('\n')}
          onChange={(typed) => choices.onChange(typed === '' ? [] : typed.split('\n'))}
          rows={4}
          help={words.choicesHelp}
        />
      )}
      <CheckboxField {...field(`questions.${at}.required`, words.required)} />
    </div>
  )
}
