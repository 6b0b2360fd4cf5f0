/**
 * What travels between server and page, and what the parts of the page share.
 *
 * @typedef {{kind: "rect"|"circle"|"line"|"text", x: number, y: number, width: number,
 *   height: number, style: string, text: string, stroke: number, cell: string, radius: number,
 *   label: string}} Shape
 * @typedef {{width: number, height: number, shapes: Shape[], caption: string}} Board
 * @typedef {{winner: number|null, termination: string, scores: number[]|null,
 *   points: number[]|null, detail: string}} Outcome
 * @typedef {{text: string, board: Board, turn: number, legal: string[], last: string,
 *   outcome: Outcome|null, epilogue: Board|null}} Snapshot
 * @typedef {{player: number, value?: string, distance?: number, points?: number,
 *   probability?: number}} Score
 * @typedef {{move: string, player: number, time?: number, nodes?: number, depth?: number,
 *   score?: Score}} MoveRecord
 * @typedef {{player: number, text: string, expectation: number, exact: boolean, short: string,
 *   distance?: number, cost?: number}} ScoreView
 * @typedef {{move: string, score: ScoreView|null, visits: number|null, kept?: number}} MoveView
 * @typedef {{ply: number, score: ScoreView|null, best: string, loss: number, mark: string, why: string,
 *   line: string[]}}
 *   ReviewedMove
 * @typedef {Record<string, string|number|boolean>} Options
 * @typedef {{id: string, game: string, options: Options, seats: string[], seconds: number,
 *   seed: number, keep: number, moves: MoveRecord[], position: Snapshot, used: number[],
 *   kind: string, title: string, thinking: boolean, preparing: boolean, speed: string, outcome: Outcome|null,
 *   best: number|null, review: ReviewedMove[], start: string}} GameUpdate
 * @typedef {{key: string, move: string, score: ScoreView|null, depth: number|null, nodes: number,
 *   elapsed: number, line: string[], moves: MoveView[], agent: string, note: string,
 *   done: boolean}} AnalysisUpdate
 * @typedef {{name: string, default: string|number|boolean, fractions: boolean, help: string,
 *   choices: string[], low: number|null, high: number|null, suggestions: string[]}} OptionInfo
 * @typedef {{name: string, key: string, agent: string, madeOf: string, summary: string}} LevelInfo
 * @typedef {{steps: {text: string, board: Board|null, position: string, moves: string[]}[],
 *   words: {word: string, meaning: string, style: string}[], keys: [string, string][]}} RulesCard
 * @typedef {{name: string, summary: string, parameters: OptionInfo[]}} AgentInfo
 * @typedef {{name: string, title: string, summary: string, players: number, chance: boolean,
 *   scoring: string, playerNames: string[], analyst: string, input: string, seedOption: string,
 *   levels: LevelInfo[], wonBy: string,
 *   tally: [string, number][], moveName: string, sameDeals: boolean, options: OptionInfo[],
 *   agents: AgentInfo[]}} GameInfo
 * @typedef {{id: string, game: string, kind: string, seats: string[], title: string,
 *   created: string, updated: string, moves: number, outcome?: Outcome|null}} GameSummary
 * @typedef {{id: string, kind: string, game: string, players: string[], created: string,
 *   games: number, running?: boolean, course?: boolean}} RunSummary
 * @typedef {{name: string, games: number, wins: number, draws: number, losses: number,
 *   score: number, elo?: [number, number, number]|null, turns?: number|null, rank?: number,
 *   failures?: number}} RunRow
 * @typedef {{id: string, players: string[], winner: number|null, termination: string,
 *   plies: number}} RunGame
 * @typedef {{id: string, kind: string, game: string, players: string[], created: string,
 *   played: number, total: number|null, running: boolean, rows: RunRow[],
 *   graph: [number, number[]][], crosstable: (number|null)[][], games: RunGame[],
 *   error?: string, survival?: [number, number][][], settings?: [string, string][]}} RunView
 */
export {};
