import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import {
  AgreementChange,
  type AgreementVersion,
  changeAgreementVersion,
  NewAgreement,
  NewTranslation,
  publishAgreement,
  publishAgreementTranslation,
} from '#contract/agreement.ts'
import { languageName } from '#contract/language.ts'
import { useCall } from '../../calls.ts'
import { formatDate, formatDateAt } from '../../format.ts'
import { agreementVersionsQuery } from '../../shared/agreement.ts'
import { LanguageField, useLanguageChoices } from '../../shared/LanguageFields.tsx'
import { Prose } from '../../shared/Prose.tsx'
import { TextTabs, type TypedTexts, withoutEmptyTexts } from '../../shared/TextTabs.tsx'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { DateField, TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { showToast } from '../../ui/toasts.ts'
import { agreementSettingsWords as words } from '../../words/agreement.ts'

type Props = { account: Account; programUrl: string | null }

/** The newest version of the partner agreement with those who accepted it, and the form of the next one. */
export function Agreement({ account, programUrl }: Props) {
  const answer = useQuery(agreementVersionsQuery(account.id))
  const [writing, setWriting] = useState(false)
  if (!answer.data)
    return (
      <Panel heading={words.heading}>
        <Pending answer={answer} rows={3} />
      </Panel>
    )
  const [newest, ...earlier] = answer.data.items
  return (
    <>
      <TwoColumns form aside={null}>
        <Panel heading={words.heading} aside={newest && programUrl && <ViewLink url={`${programUrl}/agreement`} />}>
          <div className="stack inset">
            {newest ? <Newest account={account} newest={newest} /> : <p>{words.none}</p>}
            {earlier.length > 0 && <p className="muted">{words.earlier({ count: earlier.length })}</p>}
            {!writing && (
              <div>
                <Button needs={publishAgreement} onClick={() => setWriting(true)}>
                  {words.newVersion}
                </Button>
              </div>
            )}
          </div>
        </Panel>
      </TwoColumns>
      {writing && <NewVersion account={account} newest={newest?.version ?? 0} onClose={() => setWriting(false)} />}
    </>
  )
}

const ViewLink = ({ url }: { url: string }) => (
  <a href={url} target="_blank" rel="noopener">
    {words.view}
  </a>
)

function Newest({ account, newest }: { account: Account; newest: AgreementVersion }) {
  const [changing, setChanging] = useState(false)
  const [translating, setTranslating] = useState(false)
  const { version, languages, publishedAt, accepted, waiting, requiredFrom } = newest
  const untranslated = useLanguageChoices(languages)
  return (
    <>
      <p className="linked">
        {words.version({ version, date: formatDateAt(publishedAt, account.timeZone) })}
        {' · '}
        <Link to="/partners" search={{ agreement: 'accepted' }}>
          {words.accepted({ count: accepted ?? 0 })}
        </Link>
        {', '}
        <Link to="/partners" search={{ agreement: 'waiting' }}>
          {words.waiting({ count: waiting ?? 0 })}
        </Link>
      </p>
      <div className="row between">
        <p>{requiredFrom ? words.from({ date: formatDate(requiredFrom) }) : words.never}</p>
        <Button small needs={changeAgreementVersion} onClick={() => setChanging(true)}>
          {words.changeDay}
        </Button>
      </div>
      <div className="row between">
        <p>{words.languages({ languages: languages.map(languageName).join(', ') })}</p>
        {untranslated.length > 0 && (
          <Button small needs={publishAgreementTranslation} onClick={() => setTranslating(true)}>
            {words.translate}
          </Button>
        )}
      </div>
      {translating && <Translate of={{ id: account.id, version, languages }} onClose={() => setTranslating(false)} />}
      {changing && <ChangeDay of={{ id: account.id, version, requiredFrom }} onClose={() => setChanging(false)} />}
    </>
  )
}

const ChangeDay = defineFormAction(
  changeAgreementVersion,
  AgreementChange,
  ({ id, version, requiredFrom }: { id: string; version: number; requiredFrom: string | null }) => ({
    heading: words.changeDay,
    done: words.daySaved,
    initial: { requiredFrom: requiredFrom ?? '' },
    send: (body) => ({ params: { id, version: `${version}` }, body }),
    fields: ({ field }) => <DateField {...field('requiredFrom', words.waitFrom)} help={words.waitFromHelp} optional />,
  }),
)

const Translate = defineFormAction(
  publishAgreementTranslation,
  NewTranslation,
  ({ id, version, languages }: { id: string; version: number; languages: string[] }) => ({
    heading: words.translate,
    why: words.translateHelp,
    done: words.translated,
    initial: { language: null as string | null, text: '', changes: '' },
    send: (body) => ({ params: { id, version: `${version}` }, body }),
    fields: ({ field, values }) => (
      <>
        <LanguageField {...field('language', words.language)} placeholder={words.chooseLanguage} without={languages} />
        <TextAreaField
          {...field('text', words.text)}
          rows={12}
          lang={values.language ?? undefined}
          help={words.textHelp}
        />
        <TextAreaField {...field('changes', words.changes)} rows={3} lang={values.language ?? undefined} optional />
      </>
    ),
  }),
)

type NewProps = { account: Account; newest: number; onClose: () => void }

function NewVersion({ account, newest, onClose }: NewProps) {
  const [asked, ask] = useState<NewAgreement | null>(null)
  const version = newest + 1
  const [language, choose] = useState(account.language)
  const initial = { text: '', changes: '', requiredFrom: '', translations: {} as TypedTexts<'text' | 'changes'> }
  const form = useContractForm(NewAgreement, { initial, complete: withoutEmptyTexts })
  const publish = useCall(publishAgreement, {
    onSuccess() {
      form.saved(initial)
      onClose()
      showToast(words.published)
    },
    onError: () => ask(null),
  })
  const { field, values } = form
  const typed = language === account.language ? values.text : (values.translations[language]?.text ?? '')
  return (
    <TwoColumns form aside={typed.trim() && <TextPreview text={typed} />}>
      <Form form={form} save={publish} label={words.newVersion} onSubmit={ask}>
        <FormPanel heading={words.newVersion}>
          <TextTabs account={account} form={form} current={language} onChoose={choose}>
            {(text) => (
              <>
                <TextAreaField {...text('text', words.text, '')} rows={12} help={words.textHelp} />
                {newest > 0 && (
                  <TextAreaField {...text('changes', words.changes, '')} rows={3} help={words.changesHelp} />
                )}
              </>
            )}
          </TextTabs>
          <DateField {...field('requiredFrom', words.waitFrom)} help={words.waitFromHelp} optional />
        </FormPanel>
        <FormActions submit={words.publish({ version })} cancel={onClose} />
      </Form>
      {asked && (
        <Confirm
          heading={words.publishHeading({ version })}
          confirm={words.publish({ version })}
          call={publish}
          onConfirm={() => publish.mutate({ params: { id: account.id }, body: asked })}
          onClose={() => ask(null)}
        >
          <p>{words.publishWhy}</p>
        </Confirm>
      )}
    </TwoColumns>
  )
}

const TextPreview = ({ text }: { text: string }) => (
  <Panel heading={words.text}>
    <div className="stack inset">
      <Prose text={text} />
    </div>
  </Panel>
)
