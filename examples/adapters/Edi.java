/*
 * EDI (Chad-Glazier/edi), an alpha-beta engine for Amazons, as an engine that speaks UGI, for
 * `referee`.
 *
 * Needs Java 17 and the folder of EDI's compiled classes, in which ubc/team09 lies (tested: its
 * version a02f6aa):
 *
 *     java -cp edi/core/target/classes Edi.java
 *
 * Plays Amazons on 10 by 10 squares with four amazons a side, from any position. In any other game
 * or variant it says why in an `info string` and answers `bestmove none`; a position with another
 * number of amazons is given up with `bestmove resign`.
 *
 * EDI searches for a time, or to a depth; nodes it does not count. Without a limit of time it takes
 * `move_time` ms, by default its own 10 s.
 *
 * Example, a match against a built-in engine:
 *
 *     referee match 'java -cp edi/core/target/classes Edi.java' mcts --game amazons --time 1s --games 10
 */

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class Edi {
    static final int SIZE = 10;
    static final String START = "3w2w3/10/10/w8w/10/10/b8b/10/10/3b2b3 b";
    static final long OVERHEAD = 30; // a search ends this long before its time, ms
    static final long FOREVER = 1_000_000_000;
    static final int DEEPEST = 92; // EDI's own limit: the number of empty squares

    /** A game, variant, position or turn that this engine cannot take; says why. */
    static class Refusal extends Exception {
        final String answer;

        Refusal(String why, String answer) {
            super(why);
            this.answer = answer;
        }
    }

    // ---- The rules ------------------------------------------------------------------------------

    /** A position: `b` and `w` for amazons, `x` for arrows, `.` for empty squares; and the side. */
    static class Board {
        final char[] squares; // from a1, row by row
        char side;

        Board(String fen) throws Refusal {
            String[] words = fen.toLowerCase().trim().split("\\s+");
            String[] rows = words[0].replace("10", ".".repeat(10)).split("/");
            StringBuilder text = new StringBuilder();
            for (int row = rows.length - 1; row >= 0; row--) {
                Matcher runs = Pattern.compile("[1-9]").matcher(rows[row]);
                String squares = runs.replaceAll(run -> ".".repeat(Integer.parseInt(run.group())));
                text.append(squares.length() == SIZE ? squares : "?");
            }
            if (text.length() != SIZE * SIZE || !text.toString().matches("[bwx.]*") || words.length < 2
                    || !words[1].matches("[bw]")) {
                throw new Refusal("cannot read the position " + fen, "resign");
            }
            squares = text.toString().toCharArray();
            side = words[1].charAt(0);
            for (char colour : new char[] {'b', 'w'}) {
                if (text.chars().filter(c -> c == colour).count() != 4) {
                    throw new Refusal("EDI plays with four amazons a side only", "resign");
                }
            }
        }

        Board(Board other) {
            squares = other.squares.clone();
            side = other.side;
        }

        /** Whether a queen goes from one square to another, past empty squares. */
        boolean sees(int from, int to) {
            int columns = to % SIZE - from % SIZE, rows = to / SIZE - from / SIZE;
            int steps = Math.max(Math.abs(columns), Math.abs(rows));
            if (steps == 0 || columns % steps != 0 || rows % steps != 0) {
                return false;
            }
            int step = columns / steps + rows / steps * SIZE;
            for (int at = from + step, left = steps; left > 0; at += step, left--) {
                if (squares[at] != '.') {
                    return false;
                }
            }
            return true;
        }

        /** Plays a turn: from, to, arrow. Whether it was legal; if not, nothing has changed. */
        boolean play(int from, int to, int arrow) {
            if (squares[from] != side || !sees(from, to)) {
                return false;
            }
            squares[from] = '.';
            squares[to] = side;
            if (!sees(to, arrow)) {
                squares[to] = '.';
                squares[from] = side;
                return false;
            }
            squares[arrow] = 'x';
            side = side == 'b' ? 'w' : 'b';
            return true;
        }

        void play(String word) throws Refusal {
            int[] at = Arrays.stream(word.toLowerCase().split("-"))
                    .mapToInt(square -> square.matches("[a-j]([1-9]|10)")
                            ? square.charAt(0) - 'a' + (Integer.parseInt(square.substring(1)) - 1) * SIZE
                            : -1)
                    .filter(square -> square >= 0)
                    .toArray();
            if (at.length != 3 || !play(at[0], at[1], at[2])) {
                throw new Refusal(word + " is not legal", "none");
            }
        }

        /** Whether the side to move has a turn: an amazon that moves may shoot where it came from. */
        boolean goesOn() {
            for (int from = 0; from < SIZE * SIZE; from++) {
                for (int to = 0; squares[from] == side && to < SIZE * SIZE; to++) {
                    if (sees(from, to)) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    static String name(int square) {
        return "" + (char) ('a' + square % SIZE) + (square / SIZE + 1);
    }

    // ---- EDI ------------------------------------------------------------------------------------

    /** EDI and its alpha-beta search, called by name so that a missing class is told in words. */
    static class Engine {
        final Object edi, search;
        final Constructor<?> state;
        final Field end, calls;

        Engine() throws ReflectiveOperationException {
            edi = Class.forName("ubc.team09.player.EDI").getConstructor().newInstance();
            Field field = edi.getClass().getDeclaredField("ab");
            field.setAccessible(true);
            search = field.get(edi);
            state = Class.forName("ubc.team09.state.State")
                    .getConstructor(long[].class, byte[].class, byte.class, int.class);
            Class<?> clock = Class.forName("ubc.team09.search.TimeConstrained");
            end = clock.getDeclaredField("endTimeMs");
            calls = clock.getDeclaredField("callsSinceLastCheck");
            end.setAccessible(true);
            calls.setAccessible(true);
        }

        /** EDI's turn, as it writes it: a byte each for from, to, arrow. 0 if it has none. */
        int choose(Board board, long ms, int depth) throws ReflectiveOperationException {
            long[] occupied = new long[2];
            byte[] amazons = new byte[8]; // white's, then black's
            int white = 0, black = 4;
            for (int at = 0; at < SIZE * SIZE; at++) {
                if (board.squares[at] != '.') {
                    occupied[at / 64] |= 1L << at % 64;
                }
                if (board.squares[at] == 'w') {
                    amazons[white++] = (byte) at;
                } else if (board.squares[at] == 'b') {
                    amazons[black++] = (byte) at;
                }
            }
            byte colour = (byte) (board.side == 'w' ? 0 : 1);
            edi.getClass().getMethod("setColor", byte.class).invoke(edi, colour);
            search.getClass().getMethod("setTimeLimitMs", long.class).invoke(search, ms);
            search.getClass().getMethod("setMaxDepth", int.class).invoke(search, depth);
            Object position = state.newInstance(occupied, amazons, colour, 0);
            Method consult = edi.getClass().getMethod("consult", state.getDeclaringClass());
            return (int) consult.invoke(edi, position);
        }

        /** Ends the time of a search, which looks at its clock every 1024 calls only. */
        void hurry() {
            try {
                end.setLong(search, 0);
                calls.setInt(search, 1022);
            } catch (IllegalAccessException error) {
                throw new IllegalStateException(error);
            }
        }
    }

    // ---- The protocol ---------------------------------------------------------------------------

    static final List<String> COMMANDS = List.of("ugi", "setoption", "uginewgame", "position", "go", "stop");

    static PrintStream out;
    static final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    static String game = "amazons", variant = "";
    static long moveTime = 10_000;
    static Board board;
    static Refusal trouble = new Refusal("no position", "none");
    static Engine engine, spare;
    static Thread thread; // the search, if there is one
    static volatile boolean stopped;

    static synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    public static void main(String[] arguments) throws Exception {
        out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(new PrintStream(screen, true)); // EDI draws on the screen
        try {
            engine = new Engine();
            spare = new Engine();
        } catch (ReflectiveOperationException error) {
            String what = error.getMessage();
            System.err.println("Edi.java: no classes of EDI: give their folder with -cp (" + what + ")");
            System.exit(2);
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            long heard = System.currentTimeMillis();
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            String command = words.get(0).toLowerCase();
            if (command.equals("quit")) {
                break;
            } else if (command.equals("isready")) {
                warmUp();
                say("readyok");
            } else if (COMMANDS.contains(command)) {
                stop(); // no other command comes during a search
                obey(command, words, heard);
            }
        }
        System.exit(0);
    }

    static void obey(String command, List<String> words, long heard) throws Exception {
        switch (command) {
            case "ugi" -> {
                say("id name EDI\nid author Chad Glazier, Guohao Ma, Zhishang Ma, Aaryan Oberoi");
                say("option name Game type combo default amazons var amazons");
                say("option name Variant type string default");
                say("option name move_time type spin default 10000 min 1 max " + FOREVER + "\nugiok");
            }
            case "setoption" -> setOption(words);
            case "uginewgame" -> engine = new Engine();
            case "position" -> position(words);
            case "go" -> go(words, heard);
            default -> { }
        }
    }

    static boolean warm = false;

    /** The first search of a Java program is slow: it comes before the first game. */
    static void warmUp() throws Exception {
        if (!warm && thread == null) {
            warm = true;
            spare.choose(new Board(START), 700, DEEPEST);
        }
    }

    static void setOption(List<String> words) {
        int at = words.contains("value") ? words.indexOf("value") : words.size();
        String name = String.join(" ", words.subList(Math.min(2, at), at));
        String value = at < words.size() ? String.join(" ", words.subList(at + 1, words.size())) : "";
        switch (name.toLowerCase()) {
            case "game" -> game = value;
            case "variant" -> variant = value;
            case "move_time" -> {
                if (value.matches("[1-9]\\d{0,9}") && Long.parseLong(value) <= FOREVER) {
                    moveTime = Long.parseLong(value);
                } else {
                    say("info string move_time: " + value + ", expected 1 to " + FOREVER);
                }
            }
            default -> say("info string no option " + name);
        }
    }

    static void position(List<String> words) {
        int at = words.contains("moves") ? words.indexOf("moves") : words.size();
        try {
            boolean known = List.of("", "{}", "{\"size\":10}").contains(variant.replaceAll("\\s", ""));
            if (!game.equalsIgnoreCase("amazons") || !known) {
                String what = game + " " + variant;
                throw new Refusal("EDI plays only amazons with { size = 10 }, not " + what, "none");
            }
            boolean fen = words.size() > 1 && words.get(1).equals("fen");
            board = new Board(fen ? String.join(" ", words.subList(2, at)) : START);
            for (String word : words.subList(Math.min(at + 1, words.size()), words.size())) {
                board.play(word);
            }
        } catch (Refusal refusal) {
            board = null;
            trouble = refusal; // `go` tells
        }
    }

    static void go(List<String> words, long heard) {
        boolean infinite = words.contains("infinite");
        Map<String, Long> numbers = new HashMap<>();
        for (int at = 1; at < words.size(); at++) {
            if (words.get(at).matches("\\d{1,12}")) {
                numbers.put(words.get(at - 1), Long.parseLong(words.get(at)));
            }
        }
        int depth = (int) Math.max(1, Math.min(DEEPEST, numbers.getOrDefault("depth", (long) DEEPEST)));
        Long limit = board == null ? null : limit(numbers);
        long otherwise = infinite || numbers.containsKey("depth") ? FOREVER : moveTime;
        long now = System.currentTimeMillis();
        long ms = limit == null || infinite ? otherwise : heard + limit - OVERHEAD - now;
        stopped = false;
        long end = now + Math.max(1, ms);
        Thread search = new Thread(() -> {
            String answer = answer(Math.max(1, ms), depth);
            while (infinite && !stopped) {
                pause();
            }
            say("bestmove " + answer);
        });
        thread = search;
        search.start();
        Thread watch = new Thread(() -> {
            while (search.isAlive()) {
                if (stopped || System.currentTimeMillis() >= end) {
                    engine.hurry(); // again and again: a search that begins sets its time
                }
                pause();
            }
        });
        watch.setDaemon(true);
        watch.start();
    }

    /** The time for a turn, ms, or null without a clock: that of a turn, a share of the game's, or
     * the smaller of both. */
    static Long limit(Map<String, Long> numbers) {
        String side = board.side == 'b' ? "p1" : "p2";
        Long left = numbers.get(side + "time"), ofTurn = numbers.get("movetime");
        if (left == null) {
            return ofTurn;
        }
        long turns = Math.max(1, Math.min(25, numbers.getOrDefault("movestogo", 25L)));
        long share = Math.max(left / turns + numbers.getOrDefault(side + "inc", 0L), 20);
        long ofGame = Math.min(share, left / 2) + numbers.getOrDefault("byoyomi", 0L);
        return ofTurn == null ? ofGame : Math.min(ofTurn, ofGame);
    }

    /** EDI's turn in the position, if it is legal; else why not is told. */
    static String answer(long ms, int depth) {
        if (board == null) {
            say("info string " + trouble.getMessage());
            return trouble.answer;
        }
        if (!board.goesOn()) {
            return "none";
        }
        try {
            screen.reset();
            int turn = engine.choose(board, ms, depth);
            if (turn == 0) { // no time for depth 1, without which it has no turn
                turn = spare.choose(board, FOREVER, 1); // which `stop` does not hurry
            }
            int from = turn & 255, to = turn >> 8 & 255, arrow = turn >> 16 & 255;
            String word = name(from) + "-" + name(to) + "-" + name(arrow);
            if (Math.max(from, Math.max(to, arrow)) < SIZE * SIZE && new Board(board).play(from, to, arrow)) {
                say("info depth " + Math.max(1, nextDepth() - 1) + " pv " + word);
                return word;
            }
            say("info string EDI's turn is not legal: " + word);
        } catch (ReflectiveOperationException error) {
            say("info string EDI failed: " + error.getCause());
        }
        return "resign";
    }

    /** The depth that EDI told last to begin with, or 0. */
    static int nextDepth() {
        Matcher told = Pattern.compile("depth (\\d+)").matcher(screen.toString());
        return told.results().mapToInt(found -> Integer.parseInt(found.group(1))).max().orElse(0);
    }

    /** Ends the search, if there is one, once it has answered. */
    static void stop() throws InterruptedException {
        if (thread != null) {
            stopped = true;
            thread.join();
            thread = null;
        }
    }

    static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }
}
