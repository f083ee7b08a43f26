process.env.RUNS ??= '30'
await import('./second-factor-lives.test.ts')
