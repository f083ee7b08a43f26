import {
  changePartnerLink,
  createPartnerLink,
  deletePartnerLink,
  NewPartnerLink,
  type PartnerLink,
  PartnerLinkChange,
} from '#contract/links.ts'
import { withScheme } from '../../shared/typed-addresses.ts'
import { defineDelete } from '../../ui/act.tsx'
import { copyText } from '../../ui/copy.ts'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { labelWords } from '../../words/fields.ts'
import { ownLinkWords } from '../../words/own-links.ts'
import { toastWords } from '../../words/shell.ts'

/** A partner, with the hosts that their own links may lead to. */
export type Linking = { id: string; domains: readonly string[] }
export type OwnLink = PartnerLink & { id: string }

export type OwnLinkAct = { act: 'add'; of: Linking } | { act: 'edit' | 'delete'; of: OwnLink }

/** The dialog of an action on a partner's own link. */
export function OwnLinkDialog({ onClose, ...asked }: OwnLinkAct & { onClose: () => void }) {
  if (asked.act === 'add') return <Add of={asked.of} onClose={onClose} />
  const Dialog = asked.act === 'edit' ? Edit : Delete
  return <Dialog of={asked.of} onClose={onClose} />
}

type Typed = { destinationUrl: string; name: string; subId: string }

const pageHelp = ({ domains }: Pick<Linking, 'domains'>) => ownLinkWords.pageOn({ hosts: domains.join(', ') })

const Add = defineFormAction(createPartnerLink, NewPartnerLink, (partner: Linking) => ({
  heading: ownLinkWords.add,
  done: ({ shortUrl }) => {
    // a new link is there to be shared
    copyText(shortUrl)
    return ownLinkWords.added
  },
  initial: { destinationUrl: '', name: '', subId: '' },
  complete: (values: Typed) => withScheme(values),
  fields: ({ field }) => (
    <>
      <TextField
        {...field('destinationUrl', ownLinkWords.page)}
        help={pageHelp(partner)}
        inputMode="url"
        autoComplete="off"
      />
      <TextField {...field('name')} autoComplete="off" />
      <TextField {...field('subId')} help={ownLinkWords.subIdHelp} autoComplete="off" optional />
    </>
  ),
}))

const Edit = defineFormAction(changePartnerLink, PartnerLinkChange, (link: OwnLink) => ({
  heading: ownLinkWords.edit,
  done: toastWords.saved({ resource: ownLinkWords.resource }),
  initial: { destinationUrl: link.destinationUrl, name: link.name, subId: link.subId ?? '' },
  complete: (values: Typed) => withScheme(values),
  fields: ({ field }) => (
    <>
      <TextField
        {...field('destinationUrl', ownLinkWords.page)}
        help={pageHelp(link)}
        inputMode="url"
        autoComplete="off"
      />
      <TextField {...field('name', labelWords.name)} autoComplete="off" />
      <TextField {...field('subId')} help={ownLinkWords.subIdHelp} autoComplete="off" optional />
    </>
  ),
}))

const Delete = defineDelete(deletePartnerLink, ({ name }: OwnLink) => ({
  name,
  resource: ownLinkWords.resource,
  thing: ownLinkWords.thing,
  also: ownLinkWords.deleteWhy,
}))
