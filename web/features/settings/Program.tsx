import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import {
  ProgramChange,
  type Program as ProgramOf,
  type ProgramState,
  previewProgram,
  programStates,
  saveProgram,
} from '#contract/applications.ts'
import { useCall } from '../../calls.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { PageLinks } from '../../shared/PageLinks.tsx'
import { programQuery } from '../../shared/queries.ts'
import { TextTabs } from '../../shared/TextTabs.tsx'
import { PageAddress } from '../../ui/Address.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { RadioField, SwitchField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { programWords as words } from '../../words/applications.ts'
import { basicWords } from '../../words/basic.ts'
import { formWords } from '../../words/forms.ts'
import { ProgramPreview } from './ProgramPreview.tsx'
import { slugFor } from './slugs.ts'

type Props = { account: Account; program: ProgramOf }

/** The account's public page. */
export function Program({ account }: { account: Account }) {
  const answer = useQuery(programQuery(account.id))
  if (answer.data) return <Page account={account} program={answer.data} />
  return (
    <Panel>
      <Pending answer={answer} rows={8} />
    </Panel>
  )
}

const pageValues = ({ state, slug, headline, text, rules, translations, indexed }: ProgramOf, account: Account) => ({
  state: state as ProgramState,
  slug: slug ?? slugFor(account.name),
  headline: headline ?? '',
  text,
  rules,
  translations,
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
  const [language, choose] = useState(account.language)
  const address = new URL(values.slug, program.url ?? `${location.origin}/join/`).href
  return (
    <TwoColumns
      form
      aside={may(previewProgram) && <ProgramPreview accountId={account.id} texts={{ ...values, language }} />}
    >
      <Form
        form={form}
        save={save}
        label={words.page}
        onSubmit={({ slug }, changes) =>
          // an address that is only suggested is not saved yet
          save.mutate({ params: { id: account.id }, body: program.slug === null ? { slug, ...changes } : changes })
        }
      >
        <FormPanel heading={words.page} aside={program.url && <PageLinks url={program.url} />}>
          <OnlyRead needs={saveProgram}>
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
            <TextTabs account={account} form={form} current={language} onChoose={choose}>
              {(text) => (
                <>
                  <TextField
                    {...text('headline', words.headline, '')}
                    optional
                    placeholder={text.isBase ? words.usualHeadline({ account: account.name }) : undefined}
                  />
                  <TextAreaField {...text('text', words.about, '')} rows={6} optional help={words.aboutHelp} />
                  <TextAreaField {...text('rules', words.rules, '')} rows={3} optional help={words.rulesHelp} />
                </>
              )}
            </TextTabs>
            <SwitchField {...field('indexed', words.indexed)} />
          </OnlyRead>
        </FormPanel>
        {may(saveProgram) && <FormActions submit={formWords.saveChanges} cancel={() => form.restart(initial)} />}
      </Form>
    </TwoColumns>
  )
}

const noAddress = basicWords.rules.required({ label: words.slug })
