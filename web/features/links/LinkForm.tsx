import type { NavigateOptions } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import type { z } from 'zod'
import { wrongFields } from '#contract/fields.ts'
import { type LinkTest, NewLinkBlueprint, TestedLink, testLink } from '#contract/links.ts'
import { Terms } from '#contract/terms.ts'
import { attributionModels, isDomain } from '#contract/values.ts'
import { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { termsLabel } from '../../shared/commission.ts'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { ZeroRatesWarning } from '../../shared/SetRates.tsx'
import { TermsFields } from '../../shared/TermsFields.tsx'
import { SavedVersion } from '../../shared/TermsHistory.tsx'
import { type TermsSubject, useAccountTerms } from '../../shared/terms.ts'
import { toDomain, withScheme } from '../../shared/typed-addresses.ts'
import { useAccount, useOwnAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Form, FormActions, FormPanel, useContractForm, useLeaveForm } from '../../ui/contract-form.tsx'
import { FieldPair, NumberField, RadioField, SwitchField, TextField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { ExternalIcon } from '../../ui/icons.tsx'
import { Message } from '../../ui/Message.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { TagsField } from '../../ui/TagsField.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { linkWords } from '../../words/links.ts'
import { LinkPreview, type LinkValues } from './LinkPreview.tsx'

type Props = {
  heading: string
  submit: string
  initial: LinkValues
  /** The blueprint's key in its short links; null for a new blueprint. */
  linkKey: string | null
  /** The blueprint whose terms are edited; absent for a new one. */
  subject?: TermsSubject
  /** The query of its terms. */
  saved?: ComponentProps<typeof TermsFields>['saved']
  save: { busy: boolean; error: CallError | null; saved: { current: boolean } }
  cancel: NavigateOptions
  onSubmit: (body: LinkBody, changes: Partial<LinkBody>) => void
}

const WithTerms = NewLinkBlueprint.omit({ commissionSettings: true }).extend({ terms: Terms.nullable() })
export type LinkBody = z.input<typeof WithTerms>

/** The form of a link blueprint, with a preview of what a partner gets from it. */
export function LinkForm({ heading, submit, initial, linkKey, subject, saved, save, cancel, onSubmit }: Props) {
  const account = useOwnAccount()
  const inherited = useAccountTerms(account)
  const form = useContractForm(WithTerms, { initial, complete: withScheme })
  const { field } = form
  const values = withScheme(form.values)
  const test = useLinkTest(values, form.refuse)
  const commission = termsLabel(values.terms ?? inherited, account.defaultCurrency)
  return (
    <TwoColumns
      form
      aside={
        <>
          <LinkPreview account={account} values={values} linkKey={linkKey} commission={commission} />
          {test.result && <TestResult test={test.result} parameterName={values.parameterName} />}
          {test.failure && <Message kind="error">{test.failure}</Message>}
        </>
      }
    >
      <Form form={form} save={save} label={heading} onSubmit={onSubmit}>
        <FormPanel>
          <TextField {...field('destinationUrl')} inputMode="url" autoComplete="off" />
          <TextField {...field('name')} autoComplete="off" />
        </FormPanel>
        <ZeroRatesWarning custom={values.terms} inherited={inherited} />
        <MoreOptions form={form}>
          <FormPanel>
            <FieldPair>
              <TextField {...field('parameterName')} autoComplete="off" help={linkWords.parameterHelp} />
              <NumberField {...field('cookieDays')} help={linkWords.cookieHelp} />
            </FieldPair>
            <RadioField
              {...field('attributionModel', linkWords.attribution)}
              choices={attributionModels.map((value) => ({ value, label: linkWords[value] }))}
            />
            <SwitchField {...field('enabled')} help={linkWords.enabledHelp} />
            <SwitchField {...field('passthroughQuery', fieldWords.passthroughQuery)} help={linkWords.keepQueryHelp} />
            <SwitchField {...field('partnerLinks', linkWords.partnerLinks)} help={linkWords.partnerLinksHelp} />
            {values.partnerLinks && (
              <TagsField
                {...field('moreDomains', linkWords.moreDomains)}
                placeholder={linkWords.addDomain}
                help={linkWords.moreDomainsHelp}
                tidy={toDomain}
                isWrong={(domain) => !isDomain(domain)}
                optional
              />
            )}
          </FormPanel>
          <FormPanel heading={linkWords.tags}>
            <p className="muted small">{linkWords.tagsHelp}</p>
            <FieldPair>
              <TextField {...field('utm.source', linkWords.utmSource)} autoComplete="off" optional />
              <TextField {...field('utm.medium', linkWords.utmMedium)} autoComplete="off" optional />
            </FieldPair>
            <FieldPair>
              <TextField {...field('utm.campaign', linkWords.utmCampaign)} autoComplete="off" optional />
              <TextField {...field('utm.term', linkWords.utmTerm)} autoComplete="off" optional />
            </FieldPair>
            <FieldPair>
              <TextField {...field('utm.content', linkWords.utmContent)} autoComplete="off" optional />
            </FieldPair>
          </FormPanel>
          <FormPanel
            heading={labelWords.commission}
            help={linkWords.termsHelp}
            aside={<span className="muted">{commission}</span>}
          >
            <TermsFields
              form={form}
              saved={saved}
              inherited={inherited}
              account={account}
              ratesOnly={!subject}
              effect={
                subject && (
                  <>
                    <RatesEffect accountId={account.id} subject={subject} saved={initial.terms} typed={values.terms} />
                    <SavedVersion subject={subject} account={account} onUse={(terms) => form.set({ terms })} />
                  </>
                )
              }
            />
          </FormPanel>
        </MoreOptions>
        <FormActions
          submit={submit}
          cancel={cancel}
          aside={
            <Button icon={<ExternalIcon size={16} />} busy={test.busy} onClick={test.run}>
              {linkWords.test}
            </Button>
          }
        />
      </Form>
    </TwoColumns>
  )
}

/** Tests the destination like a visitor; the result is dropped when a tested value changes. */
function useLinkTest(
  { destinationUrl, parameterName }: LinkValues,
  refuse: ReturnType<typeof useContractForm>['refuse'],
) {
  const { id } = useAccount()
  const [done, setDone] = useState<{ of: string; result: LinkTest } | null>(null)
  const tested = `${destinationUrl} ${parameterName}`
  const call = useCall(testLink, {
    onSuccess: (result) => setDone({ of: tested, result }),
    onError: (error) => {
      if (Object.keys(error.fields).length) refuse(error)
    },
  })
  const failed = call.error && Object.keys(call.error.fields).length === 0
  return {
    busy: call.busy,
    result: !call.busy && !failed && done?.of === tested ? done.result : null,
    failure: failed ? explainRefusal(call.error as CallError) : null,
    run() {
      const body = { destinationUrl, parameterName }
      const { error } = TestedLink.safeParse(body)
      if (error) refuse(new CallError('', { status: 422, code: 'validation_failed', fields: wrongFields(error) }))
      else call.mutate({ params: { id }, body })
    },
  }
}

/** Leaves a saved form for the blueprint's page. */
export function useLeave() {
  const leave = useLeaveForm()
  return (id: string) => leave({ to: '/links/$blueprintId', params: { blueprintId: id } })
}

/** A link test's result in words. */
function TestResult({ test, parameterName }: { test: LinkTest; parameterName: string }) {
  const { kind, what, why } = wordsOf(test, parameterName)
  return (
    <Message kind={kind}>
      <strong>{what}</strong>
      <p>{why}</p>
    </Message>
  )
}

function wordsOf({ status, redirectsTo, parameterKept }: LinkTest, parameter: string) {
  if (status === null) return { kind: 'error', what: linkWords.silent, why: linkWords.silentWhy } as const
  if (redirectsTo && parameterKept) {
    return {
      kind: 'success',
      what: linkWords.works,
      why: linkWords.worksRedirect({ address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (redirectsTo) {
    return {
      kind: 'warning',
      what: linkWords.lost,
      why: linkWords.lostWhy({ address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (parameterKept) {
    return { kind: 'success', what: linkWords.works, why: linkWords.worksDirect({ status, parameter }) } as const
  }
  return { kind: 'warning', what: linkWords.answered({ status }), why: linkWords.answeredWhy } as const
}

const withoutQuery = (address: string) => address.split('?')[0] as string
