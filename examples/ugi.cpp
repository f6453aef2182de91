// A Hex engine that speaks UGI and plays at random: a template for your own.
//
// The first part is the game, the second the protocol; neither depends on the other.
// For another game, replace the first part; for a better engine, start with choose().

#include <chrono>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// ---- The game: Hex, 11 columns a to k, 11 rows 1 to 11 from the top ----------------------------

const char* const NAME = "random hex (C++, ugi)";
const int SIZE = 11;

using Move = int;  // a cell: column + SIZE * row, both from 0

// A position. Red (r) moves first and connects top and bottom, blue (b) left and right.
struct Game {
    std::string stones = std::string(SIZE * SIZE, '.');
    char to_move = 'r';

    static char other(char side) { return side == 'r' ? 'b' : 'r'; }

    // Sets up a position: rows from the top, stones r and b, numbers for runs of empty cells.
    void set_up(const std::string& rows, char side) {
        stones.clear();
        int empty = 0;
        for (char letter : rows + "/") {
            if (letter >= '0' && letter <= '9') {
                empty = 10 * empty + letter - '0';
                continue;
            }
            stones.append(empty, '.');
            empty = 0;
            if (letter != '/') stones += letter;
        }
        to_move = side;
    }

    // All legal moves: the empty cells.
    std::vector<Move> moves() const {
        std::vector<Move> cells;
        for (Move cell = 0; cell < SIZE * SIZE; ++cell)
            if (stones[cell] == '.') cells.push_back(cell);
        return cells;
    }

    // Plays a legal move.
    void play(Move cell) {
        stones[cell] = to_move;
        to_move = other(to_move);
    }

    // Whether the side that moved last has connected its edges.
    bool is_over() const {
        const char last = other(to_move);
        std::vector<bool> seen(SIZE * SIZE);
        std::vector<Move> reached;
        auto reach = [&](int column, int row) {
            if (column < 0 || column >= SIZE || row < 0 || row >= SIZE) return;
            const Move cell = column + SIZE * row;
            if (stones[cell] != last || seen[cell]) return;
            seen[cell] = true;
            reached.push_back(cell);
        };
        for (int i = 0; i < SIZE; ++i) last == 'r' ? reach(i, 0) : reach(0, i);
        while (!reached.empty()) {
            const int column = reached.back() % SIZE, row = reached.back() / SIZE;
            reached.pop_back();
            if ((last == 'r' ? row : column) == SIZE - 1) return true;
            const int steps[6][2] = {{0, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 1}, {-1, 0}};
            for (auto& step : steps) reach(column + step[0], row + step[1]);
        }
        return false;
    }
};

// A move as UGI writes it: c2.
Move read_move(const std::string& text) {
    return (text[0] | 0x20) - 'a' + SIZE * (std::stoi(text.substr(1)) - 1);
}

std::string write_move(Move cell) {
    return char('a' + cell % SIZE) + std::to_string(cell / SIZE + 1);
}

// The engine's move. Put your search here; it must obey the clock in `go`.
Move choose(const Game& game) {
    static std::mt19937 random(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::vector<Move> moves = game.moves();
    return moves[random() % moves.size()];
}

// ---- The protocol ------------------------------------------------------------------------------

// Writes a line and flushes it: a buffered line never reaches the referee.
void say(const std::string& line) { std::cout << line << std::endl; }

// `startpos` or `fen …`, optionally followed by `moves …`.
Game position(std::istream& words) {
    Game game;
    std::string word, rows, side;
    words >> word;
    if (word == "fen" && words >> rows >> side) game.set_up(rows, side[0]);
    while (words >> word)
        if (word != "moves") game.play(read_move(word));
    return game;
}

int main() {
    Game game;
    std::string waiting;  // the answer to `go infinite`, sent at `stop`
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);  // also removes a CR before the line end
        std::string command;
        words >> command;
        if (command == "ugi") {
            say(std::string("id name ") + NAME + "\nid author your team");
            // Declare options here: option name table type spin default 64 min 1 max 1024
            say("ugiok");
        } else if (command == "isready") {
            say("readyok");
        } else if (command == "position") {
            game = position(words);
        } else if (command == "go") {
            // p1time MS p2time MS p1inc MS p2inc MS, or movetime MS, nodes N, depth N, infinite
            waiting = "bestmove " + (game.is_over() ? "none" : write_move(choose(game)));
            if (line.find("infinite") == std::string::npos) say(std::exchange(waiting, ""));
        } else if (command == "stop" && !waiting.empty()) {
            say(std::exchange(waiting, ""));
        } else if (command == "quit") {
            break;
        }
        // `uginewgame`, `setoption` and unknown commands need no answer.
    }
}
