import { useRouter } from '@tanstack/react-router'
import { createGroup, NewGroup } from '#contract/groups.ts'
import { defineFormAction } from '../../ui/form-act.tsx'
import { groupWords } from '../../words/groups.ts'
import { NameFields } from './NameFields.tsx'

/** Adds a group without terms of its own, and opens its page, where they are set. */
export const AddGroup = defineFormAction(
  createGroup,
  NewGroup.pick({ name: true, publicName: true }),
  (_: { id: string }) => {
    const router = useRouter()
    return {
      heading: groupWords.add,
      initial: { name: '', publicName: '' },
      done({ id }) {
        void router.navigate({ to: '/partners/groups/$groupId', params: { groupId: id } })
        return groupWords.created
      },
      fields: (form) => <NameFields form={form} />,
    }
  },
)
