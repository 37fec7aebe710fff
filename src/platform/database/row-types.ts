/**
 * What PostgreSQL says of each statement: `args`, what it takes, and `row`, the columns that it gives. The folders' `rows.d.ts` fill
 * it in; `npm run rows` writes them. A column that may be absent here (`?`) is an expression, of which PostgreSQL does not say whether
 * it can be null: there the code's word stands.
 * @public
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Statements {}
interface Said {
  args: object;
  row: object;
}

/** What a `json` or `jsonb` column gives. The code says which shape it has. */
export type Json = object | string | number | boolean;

/** The statements that have this name, or whose names this pattern takes in. */
type Known<Name extends string> = Name extends keyof Statements ? Name : Extract<keyof Statements, Name>;
/** A test's own statements are on tables of its own. */
type OfTest = `test.${string}`;

type Value<T> = Exclude<T, null | undefined>;
type Fixed<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;
/** The names that are written down: not an index signature. */
type Names<T> = keyof { [Name in keyof T as string extends Name ? never : Name]: true };

type WrongArguments<Takes, Args> = {
  [Name in keyof Takes & keyof Args]: unknown extends Args[Name]
    ? never
    : [Value<Args[Name]>] extends [Takes[Name]]
      ? never
      : { argument: Name; code: Args[Name]; postgres: Takes[Name] };
}[keyof Takes & keyof Args];

/** The code may say less than PostgreSQL (`unknown`), and what PostgreSQL cannot know: which texts, which shape of JSON. */
type Agrees<Gives, Row> = [Value<Row>] extends [Fixed<Value<Gives>>]
  ? true
  : [Value<Gives>] extends [Value<Row>]
    ? true
    : false;
type WrongColumns<Gives, Row, NotNull> = {
  [Name in Names<Row>]-?: Name extends keyof Gives
    ? Agrees<Gives[Name], Row[Name]> extends true
      ? null extends Gives[Name]
        ? null extends Row[Name]
          ? never
          : Name extends NotNull
            ? never
            : { column: Name; code: "never null"; postgres: Gives[Name] }
        : never
      : { column: Name; code: Row[Name]; postgres: Gives[Name] }
    : undefined extends Row[Name]
      ? never
      : { column: Name; postgres: "no such column" };
}[Names<Row>];

/** What need not be said: it is not null in its table, or it is not there. */
type NeedlessNotNull<Gives, NotNull extends string> = {
  [Name in NotNull]: Name extends keyof Gives
    ? null extends Gives[Name]
      ? never
      : undefined extends Gives[Name]
        ? never
        : { notNull: Name; postgres: Gives[Name] }
    : { notNull: Name; postgres: "no such column" };
}[NotNull];

type Wrong<Name, Args, Row, NotNull extends string> = Name extends keyof Statements
  ? Statements[Name] extends Said
    ? | WrongArguments<Statements[Name]["args"], Args>
      | NeedlessNotNull<Statements[Name]["row"], NotNull>
      | ([Row] extends [never] ? never : WrongColumns<Statements[Name]["row"], Row, NotNull>)
    : never
  : never;

type Unknown<Name extends string> = Name extends string ? ([Known<Name>] extends [never] ? Name : never) : never;

/** Nothing if the code says of this statement, or of each of several, what PostgreSQL says, and otherwise what is wrong. */
export type Checked<Name extends string, Args, Row, NotNull extends string> = [Name] extends [OfTest]
  ? unknown
  : string extends Name
    ? { wrong: "the compiler must know the name: give it a type such as `channels.find${string}`" }
    : [Unknown<Name>] extends [never]
      ? [Wrong<Known<Name>, Args, Row, NotNull>] extends [never]
        ? unknown
        : { wrong: Wrong<Known<Name>, Args, Row, NotNull> }
      : { wrong: "PostgreSQL has not described this statement yet: npm run rows" };

type Described<Name, NotNull> = Name extends keyof Statements
  ? Statements[Name] extends { row: infer Row }
    ? {
        [Column in keyof Row]-?: undefined extends Row[Column]
          ? Value<Row[Column]> | (Column extends NotNull ? never : null)
          : Column extends NotNull
            ? Value<Row[Column]>
            : Row[Column];
      }
    : never
  : never;
/** The row as the code declares it, or as PostgreSQL describes it where the code declares none. */
export type RowOf<Name extends string, Row, NotNull> = [Row] extends [never]
  ? Name extends OfTest
    ? unknown
    : Described<Known<Name>, NotNull>
  : Row;
