/** Each kind of site, with the steps in its own words. Whatever follows from them is in features/embed-code/recipes.ts. */
export const siteWords = {
  html: {
    name: 'HTML',
    steps: [
      'Open the file or template that all your pages share.',
      'Paste this just before the closing </head> tag, and upload or deploy it.',
    ],
  },
  wordpress: {
    name: 'WordPress',
    steps: [
      'Under Plugins, Add Plugin, install and activate WPCode.',
      'Under Code Snippets, Header & Footer, paste this into Header.',
      'Press Save Changes. If you use a caching plugin, clear its cache.',
    ],
  },
  webflow: {
    name: 'Webflow',
    steps: [
      'Open Site settings, Custom code.',
      'Paste this into Head code and press Save changes.',
      'Publish your site: custom code runs on the published site only.',
    ],
  },
  framer: {
    name: 'Framer',
    steps: [
      'Open Site Settings, General, and scroll to Custom Code.',
      'Paste this into End of <head> tag and press Save.',
      'Press Publish.',
    ],
  },
  shopify: {
    name: 'Shopify',
    steps: [
      'Under Online Store, Themes, open the menu of your theme and choose Edit code.',
      'In the folder layout, open theme.liquid.',
      'Paste this just before </head> and press Save.',
      'Checkout pages don’t run it: connect Shopify under Payment Providers to record sales.',
    ],
  },
  squarespace: {
    name: 'Squarespace',
    steps: [
      'Open Pages, Website Tools, Code Injection. Your plan must include it.',
      'Paste this into Header and press Save.',
    ],
  },
  wix: {
    name: 'Wix',
    steps: [
      'In your dashboard, open Settings, Custom Code. Your site needs a connected domain.',
      'Press Add Custom Code and paste this.',
      'Choose All pages, Load code on each new page, and Head, then press Apply.',
    ],
  },
  gtm: {
    name: 'Google Tag Manager',
    steps: [
      'Under Tags, press New and choose Custom HTML.',
      'Paste this. Options belong in the address, such as ?consent=required: attributes of the tag are dropped.',
      'Choose the trigger Initialization - All Pages, press Save, then Submit.',
    ],
  },
  react: {
    name: 'React',
    steps: [
      'Save this as src/tributary.tsx.',
      'Call useReferral() in your root component, so that the code runs on every page.',
      'Use what it returns in your sign-up or checkout. It’s null without a referral.',
    ],
  },
  next: {
    name: 'Next.js',
    steps: [
      'Save this as app/tributary.tsx.',
      'Put <TributaryScript /> into the <body> of app/layout.tsx.',
      'Call useReferral() in the client components of your sign-up or checkout. It’s null without a referral.',
    ],
  },
} as const satisfies Record<string, { name: string; steps: readonly string[] }>
