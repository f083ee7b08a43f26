import { type CSSVariablesResolver, createTheme, localStorageColorSchemeManager } from '@mantine/core'

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, Inter, sans-serif'

/** Shades 0 to 9 of the accent; the ones in use are replaced by tokens below. */
const ink = [
  '#eef1fd',
  '#dbe0fa',
  '#b5bff3',
  '#8e9deb',
  '#6c7fe2',
  '#4a5fd9',
  '#3347c4',
  '#2a3ba8',
  '#22308a',
  '#1a256b',
] as const

export const theme = createTheme({
  primaryColor: 'ink',
  colors: { ink },
  fontFamily: font,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '24px' },
  lineHeights: { md: '1.45' },
  radius: { sm: '6px', md: '8px' },
  defaultRadius: 'sm',
  focusRing: 'never',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
})

const shared = {
  '--mantine-color-body': 'var(--ground)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--muted)',
  '--mantine-color-anchor': 'var(--link)',
  '--mantine-color-error': 'var(--error)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--button-border)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--button-border)',
  '--mantine-color-ink-filled': 'var(--primary)',
  '--mantine-color-ink-filled-hover': 'var(--primary-hover)',
  '--mantine-primary-color-filled': 'var(--primary)',
  '--mantine-primary-color-filled-hover': 'var(--primary-hover)',
}

/** Mantine's own variables, led to the design tokens in both themes. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })

/** Under the key that theme.js reads before the first paint. */
export const colorSchemes = localStorageColorSchemeManager({ key: 'tributary.theme' })
