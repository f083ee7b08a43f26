import { ids } from '#contract/examples/objects.ts'
import { type FormRow, fixedField, requireFields, textField, tooLong } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import { aPicture, base64 } from '#test/support/pictures.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { AddThing, Limit, World } from '#test/support/sweep.ts'
import { MOST_ASSETS } from './contract.ts'

const add = ({ accountId, call }: World, asset: object) => call('POST', `/accounts/${accountId}/assets`, asset)

export const things = {
  asset: (world: World) =>
    add(world, { kind: 'image', name: world.text(60), image: base64(aPicture()), alt: world.text(200) }),
} satisfies Record<string, AddThing>

export const shownThings = {
  asset: (world: World) => add(world, { kind: 'text', name: 'Post', body: 'See it: {link}' }),
} satisfies Record<string, AddThing>

export const strangeThings = {
  /** One leads to a link, the other is for a group. */
  async asset(world: World) {
    const { accountId, call } = world
    const [link] = (await call('GET', `/accounts/${accountId}/link-blueprints`)).items
    const group = (await call('GET', `/accounts/${accountId}/groups`)).items.find(({ id }: Group) => id !== accountId)
    const image = base64(aPicture())
    const asset = await add(world, { kind: 'image', name: '=banner', image, alt: '=1+1', blueprintId: link.id })
    await add(world, { kind: 'html', name: 'Card', body: '<b>{code}</b>', groupId: group.id })
    return asset
  },
} satisfies Record<string, AddThing>

type Group = { id: string }

export const bodies = {
  createAsset: () => ({ kind: 'text', name: 'Post', body: 'Try it: {link}', blueprintId: null, groupId: null }),
  changeAsset: () => ({ name: 'Banner', image: base64(aPicture()), alt: 'Try it', blueprintId: null, groupId: null }),
}

export const preparations = {
  async deleteAsset({ account, post }: Story) {
    const { id } = await post(`/accounts/${account.id}/assets`, { kind: 'text', name: 'Post', body: '{link}' })
    return { instead: { [ids.asset]: id } }
  },
} satisfies Record<string, Prepare>

export const requiredRights = { createAsset: 'earn', changeAsset: 'earn', deleteAsset: 'earn' }
export const inPortal = ['listPartnerAssets']
export const hiddenFromPartners = ['asset']
// addresses of the install
export const fieldsOfInstall = { listAssets: ['imageUrl'], listPartnerAssets: ['imageUrl', 'html'] }

export const screens: SweptScreen[] = [
  {
    role: 'owner',
    path: '/partners?tab=assets',
    h1: 'Partners',
    title: 'Assets · Partners',
    isTab: true,
    buttons: ['Add asset'],
    rows: { Post: ['Edit', 'Delete'] },
    lacks: ['Add partner', 'Import'],
    dialogs: { 'Add asset': ['Name', 'Kind', 'Image', 'Text', 'HTML', 'Picture', 'Alternative Text', 'Link'] },
  },
]
export const emptyScreens: [path: string, h1: string][] = [['/partners?tab=assets', 'Partners']]

export const forms: FormRow[] = [
  {
    name: 'asset',
    who: 'newOwner',
    path: '/partners?tab=assets',
    h1: 'Partners',
    open: 'Add asset',
    first: ['HTML'],
    submit: 'Add asset',
    fields: { Name: textField('name', 60), Content: fixedField('body', '<b>{link}</b>', tooLong(5000)) },
    nothing: requireFields('Name'),
    said: 'Asset added',
  },
]

export const limits: Limit[] = [
  { table: 'have', row: ['assets', `${MOST_ASSETS}`], refusals: ['too_many_assets'] },
  { table: 'written', row: ['an asset', 'createAsset'] },
]
