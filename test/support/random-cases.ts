/** Returns how many of its random cases a test tries: all in `npm run test:random`, and every fourth in `npm test`. */
export const casesOf = (all: number): number => (process.env['RANDOM_CASES'] === 'all' ? all : Math.ceil(all / 4))
