import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { type Brand, BrandChange, changeBrand } from '#contract/portal.ts'
import { isDomain } from '#contract/values.ts'
import { CallError } from '#web/api.ts'
import { useCall } from '#web/calls.ts'
import { brandQuery } from '#web/shared/brand.ts'
import { HowItWorks } from '#web/shared/HowItWorks.tsx'
import { OnlyRead } from '#web/shared/OnlyRead.tsx'
import { PlayThrough } from '#web/shared/PlayThrough.tsx'
import { toDomain } from '#web/shared/typed-addresses.ts'
import { useAccount } from '#web/shell/current.ts'
import { Button } from '#web/ui/Button.tsx'
import { Form, FormActions, useContractForm } from '#web/ui/contract-form.tsx'
import { FieldPair, SelectField, SwitchField, TextField } from '#web/ui/fields.tsx'
import { lazyComponent } from '#web/ui/lazy-part.tsx'
import { Message } from '#web/ui/Message.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { Pending } from '#web/ui/Pending.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { TagsField } from '#web/ui/TagsField.tsx'
import { TwoColumns } from '#web/ui/TwoColumns.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { fieldWords, labelWords } from '#web/words/fields.ts'
import { formWords } from '#web/words/forms.ts'
import { pageWords, toastWords } from '#web/words/shell.ts'
import {
  type EmbedCode as Code,
  consentModes,
  EmbedCodeChange,
  embedElements,
  formsModes,
  type MatchedElements,
  type PickedElements,
  type SelectorType,
  saveEmbedCode,
} from '../contract.ts'
import { embedCodeWords } from '../text.ts'
import { CodePanel } from './CodePanel.tsx'
import { ElementRows } from './ElementRows.tsx'
import { embedCode } from './queries.ts'

const SiteCheck = lazyComponent(async () => (await import('./SiteCheck.tsx')).SiteCheck)

export function EmbedCode() {
  const { id } = useAccount()
  const answer = useQuery(embedCode(id))
  const brand = useQuery(brandQuery(id))
  const { data } = answer
  return (
    <Page heading={pageWords.embedCode} actions={<PlayThrough accountId={id} />}>
      <HowItWorks of="embed-code" unused={data === null} />
      {data === undefined || !brand.data ? (
        <Panel>
          <Pending answer={data === undefined ? answer : brand} rows={8} />
        </Panel>
      ) : (
        <Loaded accountId={id} code={data} brand={brand.data} />
      )}
    </Page>
  )
}

const Changes = EmbedCodeChange.extend(BrandChange.pick({ frameHosts: true }).shape)

type LoadedProps = { accountId: string; code: Code | null; brand: Brand }

function Loaded({ accountId, code, brand }: LoadedProps) {
  const client = useQueryClient()
  const may = usePermission()
  const [matched, setMatched] = useState<MatchedElements | null>(null)
  const form = useContractForm(Changes, { initial: valuesOf(code, brand), exact: true })
  const saveCode = useCall(saveEmbedCode)
  const saveHosts = useCall(changeBrand)
  const params = { id: accountId }

  /** Saves the code, and the sites that may frame the portal, as far as they changed. */
  async function save(
    { frameHosts: _, ...body }: z.input<typeof Changes>,
    { frameHosts, ...changes }: Partial<z.input<typeof Changes>>,
  ) {
    try {
      const hasCode = frameHosts === undefined || Object.keys(changes).length > 0
      const saved = hasCode ? await saveCode.send({ params, body: code ? changes : body }) : code
      const next = frameHosts ? await saveHosts.send({ params, body: { frameHosts } }) : brand
      if (saved) client.setQueryData(embedCode(accountId).queryKey, saved)
      client.setQueryData(brandQuery(accountId).queryKey, next)
      form.saved(valuesOf(saved, next))
      setMatched(null)
      showToast(toastWords.saved({ resource: embedCodeWords.resource }))
    } catch (error) {
      // Shown from the call that was refused.
      if (!(error instanceof CallError)) throw error
    }
  }

  const { field, values } = form
  /** Fills in what was picked, unsaved. */
  function fill(picked: PickedElements) {
    const chosen = embedElements.flatMap((key) => (picked[key] ? [[key, { key, ...picked[key] }]] : []))
    form.set({ config: { ...values.config, ...Object.fromEntries(chosen) } })
  }
  const consent = field('consentMode', labelWords.consentMode)
  const forms = field('forms', labelWords.forms)
  return (
    <>
      <CodePanel code={code} />
      <TwoColumns
        code
        aside={
          <SiteCheck
            accountId={accountId}
            code={code}
            unsaved={form.dirty}
            matched={matched}
            onMatched={setMatched}
            onPicked={fill}
          />
        }
      >
        <Form
          wide
          form={form}
          save={{
            busy: saveCode.busy || saveHosts.busy,
            error: saveCode.error ?? saveHosts.error,
            saved: saveCode.saved,
          }}
          label={pageWords.embedCode}
          onSubmit={save}
        >
          <OnlyRead needs={saveEmbedCode}>
            {code && !code.formsChosen && (
              <Message
                kind="info"
                action={
                  may(saveEmbedCode) && (
                    <Button small onClick={() => void save({ forms: code.forms }, { forms: code.forms })}>
                      {embedCodeWords.formsKeep}
                    </Button>
                  )
                }
              >
                {embedCodeWords.formsNews}
              </Message>
            )}
            <Panel className="inset-all">
              <SelectField
                {...forms}
                onChange={(mode) => mode && forms.onChange(mode)}
                choices={formsModes.map((value) => ({ value, label: embedCodeWords.forms[value] }))}
                help={embedCodeWords.formsHelp[values.forms]}
              />
            </Panel>
            <ElementRows form={form} matched={matched} />
            <Panel className="stack inset-all">
              <TagsField
                {...field('domains', labelWords.domains)}
                placeholder={embedCodeWords.addDomain}
                help={values.domains.length > 0 && embedCodeWords.domainsHelp}
                tidy={toDomain}
                isWrong={(domain) => !isDomain(domain)}
              />
              {values.domains.length === 0 && <Message kind="warning">{embedCodeWords.anySite}</Message>}
              <TagsField
                {...field('checkoutDomains', labelWords.checkoutDomains)}
                placeholder={embedCodeWords.addDomain}
                help={embedCodeWords.checkoutDomainsHelp}
                tidy={toDomain}
                isWrong={(domain) => !isDomain(domain)}
              />
              <FieldPair>
                <SelectField
                  {...consent}
                  onChange={(mode) => mode && consent.onChange(mode)}
                  choices={consentModes.map((value) => ({ value, label: embedCodeWords.consent[value] }))}
                  help={embedCodeWords.consentHelp[values.consentMode]}
                />
                <SwitchField
                  stacked
                  {...field('onlyIfReferred', fieldWords.onlyIfReferred)}
                  help={values.onlyIfReferred ? embedCodeWords.onlyReferredOn : embedCodeWords.onlyReferredOff}
                />
              </FieldPair>
              <TextField
                {...field('path', labelWords.path)}
                autoComplete="off"
                spellCheck={false}
                placeholder={embedCodeWords.pathPlaceholder}
                help={embedCodeWords.pathHelp}
              />
              <OnlyRead needs={changeBrand}>
                <TagsField
                  {...field('frameHosts', labelWords.frameHosts)}
                  placeholder={embedCodeWords.addFrameHost}
                  help={embedCodeWords.frameHostsHelp}
                  tidy={hostOf}
                  isWrong={(host) => !BrandChange.safeParse({ frameHosts: [host] }).success}
                />
              </OnlyRead>
            </Panel>
          </OnlyRead>
          {may(saveEmbedCode) && (
            <FormActions submit={formWords.saveChanges} cancel={() => form.restart(valuesOf(code, brand))} />
          )}
        </Form>
      </TwoColumns>
    </>
  )
}

type Values = Required<
  Pick<Code, 'config' | 'domains' | 'checkoutDomains' | 'onlyIfReferred' | 'consentMode' | 'forms'>
> & { path: string; frameHosts: string[] }
export type ElementValues = Values['config']

const none = Object.fromEntries(
  embedElements.map((key) => [key, { key, selectorType: 'default' as SelectorType, selectorValue: '' }]),
) as ElementValues

/** The host of a pasted address. */
const hostOf = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')

const valuesOf = (code: Code | null, { frameHosts }: Brand): Values =>
  code
    ? {
        frameHosts,
        config: code.config,
        domains: code.domains,
        checkoutDomains: code.checkoutDomains,
        onlyIfReferred: code.onlyIfReferred,
        consentMode: code.consentMode,
        forms: code.forms,
        path: code.path ?? '',
      }
    : {
        frameHosts,
        config: none,
        domains: [],
        checkoutDomains: [],
        onlyIfReferred: true,
        consentMode: 'off',
        forms: 'sign-ups',
        path: '',
      }
